/**
 * Turns anything that was thrown into text. Upstream: Go's `err.Error()` and apimachinery's utilerrors.NewAggregate.
 */
import { isRecord } from './records.ts';

/** An error whose text in Go differs from its message. For example, the text of a gRPC status starts with its code. */
export interface GoError extends Error {
  /** The result of Go's `err.Error()`. */
  readonly goText: string;
}

const isGoError = (error: unknown): error is GoError =>
  error instanceof Error && 'goText' in error && typeof error.goText === 'string';

/**
 * Returns the message of anything thrown, without the code of a gRPC status.
 *
 * An error's message is complete by convention: code that wraps an error repeats its text. So the cause is ignored,
 * except when the message is empty or `fetch failed`. Then the result is the messages of an `AggregateError`'s errors
 * (Node throws one for a refused connection), or else the cause's message, or else the message itself, or the error's
 * name if the message is empty. Never throws.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return messageOfValue(error);
  if (isGoError(error)) return error.message;
  const isBare = error.message === '' || error.message === 'fetch failed';
  if (!isBare) return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) return aggregateText(error.errors.map(errorMessage));
  if (error.cause !== undefined && error.cause !== error) return errorMessage(error.cause);
  return error.message || error.name;
}

/**
 * Returns the message of a thrown value that isn't an `Error`. Errors from a worker or another realm can arrive as
 * plain objects with a message.
 */
function messageOfValue(value: unknown): string {
  if (!isRecord(value)) return String(value);
  return typeof value['message'] === 'string' ? value['message'] : (JSON.stringify(value) ?? 'unknown error');
}

/**
 * Returns the text that Go prints for the error: a gRPC status starts with `rpc error: code = …`, any other error is
 * its message.
 */
export const errorText = (error: unknown): string => (isGoError(error) ? error.goText : errorMessage(error));

/** Returns an `Error` as it is and wraps any other thrown value in one. */
export const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(errorMessage(error), { cause: error });

/**
 * Joins messages as `[a, b]`, each one once; a single message stays as it is. Upstream:
 * utilerrors.NewAggregate(…).Error().
 */
export function aggregateText(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
