/** What a sync did, action by action. Upstream: pkg/kubelet/container/sync_result.go (v1.36). */
import { goQuote } from '@podscope/k8s';

/** The actions a SyncResult can be about. */
export type SyncAction =
  | 'StartContainer'
  | 'KillContainer'
  | 'RemoveContainer'
  | 'CreatePodSandbox'
  | 'ConfigPodSandbox'
  | 'KillPodSandbox'
  | 'ResizePodInPlace';

/**
 * An error whose text is its name; becomes a container's waiting.reason. Upstream: the Err… variables.
 */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** v1.36: when a back-off ends, for CrashLoopBackOff. */
  readonly backoffExpiration: number | undefined;

  constructor(reason: string, options?: ErrorOptions & { backoffExpiration?: number }) {
    super(reason, options);
    this.backoffExpiration = options?.backoffExpiration;
  }
}

/** Made before the work is done; success unless {@link fail} is called. */
export class SyncResult {
  readonly action: SyncAction;
  /** Container name, sandbox id, pod UID or `name_namespace(uid)`, by action. */
  readonly target: string;
  error: Error | undefined;
  message = '';

  constructor(action: SyncAction, target: string) {
    this.action = action;
    this.target = target;
  }

  /** Marks it failed. */
  fail(error: Error, message: string): void {
    this.error = error;
    this.message = message;
  }
}

/** All results of one sync. */
export class PodSyncResult {
  readonly syncResults: SyncResult[] = [];
  syncError: Error | undefined;

  /** Adds a result and gives it back. */
  add(action: SyncAction, target: string): SyncResult {
    const result = new SyncResult(action, target);
    this.syncResults.push(result);
    return result;
  }

  /** Takes over the other's results, and its syncError even when there is none. */
  merge(other: PodSyncResult): void {
    this.syncResults.push(...other.syncResults);
    this.syncError = other.syncError;
  }

  /** The summary error, undefined when nothing failed. Upstream: PodSyncResult.Error(). */
  error(): AggregateError | undefined {
    const errors: Error[] = [];
    if (this.syncError) errors.push(new Error(`failed to SyncPod: ${this.syncError.message}`, { cause: this.syncError }));
    for (const { action, target, error, message } of this.syncResults) {
      if (error) errors.push(new Error(`failed to ${goQuote(action)} for ${goQuote(target)} with ${error.message}: ${goQuote(message)}`, { cause: error }));
    }
    if (errors.length === 0) return undefined;
    const texts = [...new Set(errors.map(({ message }) => message))];
    return new AggregateError(errors, texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
  }
}

/** The earliest end of a back-off among the causes of an error. Upstream: minBackoffExpiration (v1.36). */
export function minBackoffExpiration(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = error instanceof SyncError ? error.backoffExpiration : undefined;
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  const all = [own, ...inner.map(minBackoffExpiration)].filter((at) => at !== undefined);
  return all.length === 0 ? undefined : Math.min(...all);
}
