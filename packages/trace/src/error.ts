/** Errors as the event log tells them. */
import { DeadlineExceededError } from './context.ts';

/** The reason and message of anything thrown. `reason` is the error's own `reason` or `code`, else its name. */
export function describeError(error: unknown): { reason: string; message: string } {
  if (!(error instanceof Error)) return { reason: 'Error', message: String(error) };
  const { reason, code } = error as Error & { reason?: unknown; code?: unknown };
  const kind = typeof reason === 'string' ? reason : typeof code === 'string' ? code : error.name;
  return { reason: kind, message: error.message };
}

/** True when `error` only says that `signal` was aborted (a passed deadline is a failure, not a cancellation). */
export function isCanceled(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof DeadlineExceededError) return false;
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}
