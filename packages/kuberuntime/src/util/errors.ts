/** Combines and wraps errors. Their texts are those in the kubelet's events, results and messages. */
import { aggregateText, errorText } from '@podscope/base';

/** Combines errors into one; returns undefined for an empty list. Upstream: utilerrors.NewAggregate. */
export function aggregateErrors(errors: readonly Error[]): AggregateError | undefined {
  return errors.length === 0 ? undefined : new AggregateError(errors, aggregateText(errors.map(errorText)));
}

/** Returns an error whose message is `prefix` and the text of `cause`. Upstream: `fmt.Errorf("…: %w", err)`. */
export const wrapError = (prefix: string, cause: unknown): Error =>
  new Error(`${prefix}: ${errorText(cause)}`, { cause });
