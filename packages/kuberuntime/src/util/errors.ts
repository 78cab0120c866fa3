/** Errors as the kubelet writes them into events, results and messages. */
import { CriError } from '@podscope/cri';

/** The whole text, as Go prints the error: a CRI answer carries its gRPC code in front. */
export function errorText(error: unknown): string {
  if (error instanceof CriError) return `rpc error: code = ${error.code} desc = ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** What a CRI answer says without its code, else the whole text. Upstream: grpcstatus.Convert(err).Message(). */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Anything thrown as an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Several texts as one: alone as it is, else in brackets without repetitions. Upstream: utilerrors.NewAggregate().Error(). */
export function aggregateText(texts: readonly string[]): string {
  const different = [...new Set(texts)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}

/** One error for several; undefined for none. Upstream: utilerrors.NewAggregate. */
export function aggregateErrors(errors: readonly Error[]): AggregateError | undefined {
  return errors.length === 0 ? undefined : new AggregateError(errors, aggregateText(errors.map(errorText)));
}

/** Wraps an error in a sentence that ends with its text. */
export const wrapError = (prefix: string, cause: unknown): Error => new Error(`${prefix}: ${errorText(cause)}`, { cause });
