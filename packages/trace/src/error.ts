/** Errors as the event log tells them. */
import { DeadlineExceededError } from './context.ts';

/** The reason and message of anything thrown. `reason` is the error's own `reason` or `code`, else its name. */
export function describeError(error: unknown): { reason: string; message: string } {
  if (!(error instanceof Error)) return { reason: 'Error', message: String(error) };
  const { reason, code } = error as Error & { reason?: unknown; code?: unknown };
  const kind = typeof reason === 'string' ? reason : typeof code === 'string' ? code : error.name;
  return { reason: kind, message: error.message };
}

/** Ends work that is to begin anew, from the inside out: neither a failure of the work nor the end of its context. */
export class InterruptedError extends Error {
  override readonly name = 'AbortError';
}

/** True when work was interrupted on demand: what counts failures, as a back-off does, leaves that out. */
export const isInterrupted = (error: unknown): boolean => error instanceof InterruptedError;

/** True when `error` only says that `signal` was aborted (a passed deadline is a failure, not a cancellation), or that someone interrupted the work. */
export function isCanceled(error: unknown, signal: AbortSignal): boolean {
  if (isInterrupted(error)) return true;
  if (error instanceof DeadlineExceededError) return false;
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}
