/** Creates injected errors. Each has the form that errors of the affected layer (CRI, Docker, …) have. */
import { CriError, type RuntimeFailures } from '@podscope/cri';
import type { Failure, FaultSpec } from '@podscope/protocol';

/** An injected error that imitates no particular layer. */
class InjectedError extends Error {
  override readonly name = 'InjectedError';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Thrown by a call whose stream ends before its response is complete. */
export class CutStreamError extends CriError {
  /** The number of response messages that arrive before the stream ends. */
  readonly afterMessages: number;

  constructor(afterMessages: number) {
    super('Internal', 'stream terminated by RST_STREAM with error code: INTERNAL_ERROR');
    this.afterMessages = afterMessages;
  }
}

/**
 * Returns the error for a failure. If this runtime doesn't have the affected layer, returns a CRI error with the same
 * text.
 */
export function makeFailure(failure: Failure, runtime: RuntimeFailures = {}): Error {
  if ('grpc' in failure) return new CriError(failure.grpc, failure.message);
  if ('docker' in failure)
    return (
      runtime.docker?.(failure.docker, failure.message) ??
      new CriError('Unknown', `Error response from daemon: ${failure.message}`)
    );
  if ('cni' in failure)
    return (
      runtime.cni?.(failure.cni, failure.message, failure.details) ??
      new CriError('Unknown', [failure.message, failure.details].filter(Boolean).join('; '))
    );
  return new InjectedError(failure.reason, failure.message);
}

/** Describes a failure for users. */
export function describeFailure(failure: Failure): string {
  if ('grpc' in failure) return `${failure.grpc}: ${failure.message}`;
  if ('docker' in failure) return `Docker ${failure.docker}: ${failure.message}`;
  if ('cni' in failure) return `CNI ${failure.cni}: ${failure.message}`;
  return `${failure.reason}: ${failure.message}`;
}

/** Describes a fault in a few words: `cri.PullImage fails with Unavailable: gone`. */
export function describeFault({ name, at, fail, ...actions }: FaultSpec): string {
  const does = fail ? [`fails with ${describeFailure(fail)}`] : [];
  for (const action of ['delay', 'set', 'answer', 'hang', 'cut', 'drop', 'duplicate', 'skipWait'] as const)
    if (actions[action] !== undefined) does.push(action);
  return `${name === undefined ? '' : `${name}: `}${at} (${does.join(', ')})`;
}
