/** Describes errors for the event log, and distinguishes interrupted work from failed work. */
import { errorMessage } from '@podscope/base';

/**
 * Returns the reason and the message of anything that was thrown. The reason is the error's own `reason` or `code`;
 * without these, its name. The reason of an aggregate lists the reasons of its errors, without duplicates.
 */
export function describeError(error: unknown): { reason: string; message: string } {
  if (!(error instanceof Error)) return { reason: 'Error', message: errorMessage(error) };
  return { reason: reasonOf(error), message: errorMessage(error) };
}

function reasonOf(error: Error): string {
  const { reason, code } = error as Error & { reason?: unknown; code?: unknown };
  if (typeof reason === 'string') return reason;
  if (typeof code === 'string') return code;
  if (!(error instanceof AggregateError)) return error.name;
  const reasons = error.errors.map((inner: unknown) => (inner instanceof Error ? reasonOf(inner) : 'Error'));
  return [...new Set(reasons)].join(', ') || error.name;
}

/** The error that ends work which will start again. The work hasn't failed, and its context isn't canceled. */
export class InterruptedError extends Error {
  override readonly name = 'AbortError';
}

/** Returns true if work was interrupted on demand. A back-off doesn't count an interruption as a failure. */
export const isInterrupted = (error: unknown): boolean => error instanceof InterruptedError;

/**
 * Returns true if `error` only reports that `signal` was aborted or that the work was interrupted. An exceeded deadline
 * is a failure, not a cancellation.
 */
export function isCanceled(error: unknown, signal: AbortSignal): boolean {
  if (isInterrupted(error)) return true;
  if (error instanceof DeadlineExceededError) return false;
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}

/** The reason with which a context is aborted after a time limit (Go: context.DeadlineExceeded). */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
  constructor(message = 'context deadline exceeded') {
    super(message);
  }
}
