/** Aggregates and wraps errors with the text that the kubelet writes into events, results and messages. */
import { aggregateText, errorText } from '@podscope/base';

/** Returns one error for several, or undefined for an empty list. Upstream: utilerrors.NewAggregate. */
export function aggregateErrors(errors: readonly Error[]): AggregateError | undefined {
  return errors.length === 0 ? undefined : new AggregateError(errors, aggregateText(errors.map(errorText)));
}

/** Wraps an error in a message that ends with its text. Upstream: `fmt.Errorf("…: %w", err)`. */
export const wrapError = (prefix: string, cause: unknown): Error =>
  new Error(`${prefix}: ${errorText(cause)}`, { cause });
