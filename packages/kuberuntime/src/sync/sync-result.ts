/**
 * Defines the result of a sync, which has one entry per action. Upstream: pkg/kubelet/container/sync_result.go (v1.36).
 */
import { aggregateText } from '@podscope/base';
import { goQuote } from '@podscope/k8s';

/** The action that a SyncResult reports. */
export type SyncAction =
  | 'StartContainer'
  | 'KillContainer'
  | 'RemoveContainer'
  | 'CreatePodSandbox'
  | 'ConfigPodSandbox'
  | 'KillPodSandbox'
  | 'ResizePodInPlace';

/** An error whose text is its name. The text becomes a container's `waiting.reason`. Upstream: the Err… variables. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** The instant at which the back-off ends, only for CrashLoopBackOff (v1.36). */
  readonly backoffExpiration: number | undefined;

  constructor(reason: string, options?: ErrorOptions & { backoffExpiration?: number }) {
    super(reason, options);
    this.backoffExpiration = options?.backoffExpiration;
  }
}

/**
 * The result of an action. It is created before the action runs and counts as successful unless {@link fail} is called.
 */
export class SyncResult {
  readonly action: SyncAction;
  /**
   * The object of the action. Depending on the action, it is a container name, sandbox id, pod UID or
   * `name_namespace(uid)`.
   */
  readonly target: string;
  error: Error | undefined;
  message = '';

  constructor(action: SyncAction, target: string) {
    this.action = action;
    this.target = target;
  }

  /** Marks the action as failed. */
  fail(error: Error, message: string): void {
    this.error = error;
    this.message = message;
  }
}

/** The results of one sync. */
export class PodSyncResult {
  readonly syncResults: SyncResult[] = [];
  syncError: Error | undefined;

  /** Adds a result and returns it. */
  add(action: SyncAction, target: string): SyncResult {
    const result = new SyncResult(action, target);
    this.syncResults.push(result);
    return result;
  }

  /** Adds the results of `other`, and takes over the syncError of `other` even if it is undefined. */
  merge(other: PodSyncResult): void {
    this.syncResults.push(...other.syncResults);
    this.syncError = other.syncError;
  }

  /** Returns one error for all failures; undefined if no action failed. Upstream: PodSyncResult.Error(). */
  error(): AggregateError | undefined {
    const errors: Error[] = [];
    if (this.syncError)
      errors.push(new Error(`failed to SyncPod: ${this.syncError.message}`, { cause: this.syncError }));
    for (const { action, target, error, message } of this.syncResults) {
      if (error)
        errors.push(
          new Error(`failed to ${goQuote(action)} for ${goQuote(target)} with ${error.message}: ${goQuote(message)}`, {
            cause: error,
          }),
        );
    }
    if (errors.length === 0) return undefined;
    return new AggregateError(errors, aggregateText(errors.map(({ message }) => message)));
  }
}

/**
 * Returns the earliest end of a back-off among an error and its causes; undefined without a back-off. Upstream:
 * minBackoffExpiration (v1.36).
 */
export function minBackoffExpiration(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = error instanceof SyncError ? error.backoffExpiration : undefined;
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  const all = [own, ...inner.map(minBackoffExpiration)].filter((at) => at !== undefined);
  return all.length === 0 ? undefined : Math.min(...all);
}
