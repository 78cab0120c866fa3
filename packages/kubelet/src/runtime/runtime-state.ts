/** Tracks whether the runtime and its network are ready. Upstream: pkg/kubelet/runtime.go (v1.36). */
import type { RuntimeFeatures, RuntimeHandler } from '@podscope/cri';
import type { Instant, Milliseconds } from '@podscope/trace';

/** If no check has succeeded for this long, the runtime counts as down. */
const baseRuntimeThreshold: Milliseconds = 30_000;

/** The results of the last checks of runtime and network. */
export class RuntimeState {
  #lastSync: Instant | undefined;
  #networkError: string | undefined = 'network state unknown';
  #runtimeError: string | undefined;
  /** The features that the runtime last reported. Upstream: runtimeFeatures. */
  features: RuntimeFeatures | undefined;
  /** The handlers that the runtime last reported. Upstream: runtimeHandlers. */
  handlers: readonly RuntimeHandler[] = [];

  /** Records that the runtime responded and is ready. */
  setRuntimeSync(at: Instant): void {
    this.#lastSync = at;
  }

  setNetworkError(error: string | undefined): void {
    this.#networkError = error;
  }

  setRuntimeError(error: string | undefined): void {
    this.#runtimeError = error;
  }

  /**
   * Returns why no pod may be synced; empty when pods may be synced. Upstream: runtimeErrors.
   * @param plegError why the PLEG is unhealthy; undefined when it is healthy
   */
  runtimeErrors(now: Instant, plegError: string | undefined): readonly string[] {
    const errors: string[] = [];
    if (this.#lastSync === undefined) errors.push('container runtime status check may not have completed yet');
    else if (now > this.#lastSync + baseRuntimeThreshold) errors.push('container runtime is down');
    if (plegError !== undefined) errors.push(`PLEG is not healthy: ${plegError}`);
    if (this.#runtimeError !== undefined) errors.push(this.#runtimeError);
    return errors;
  }

  /** Returns why pods outside the host network can't start; undefined when they can. Upstream: networkErrors. */
  networkError(): string | undefined {
    return this.#networkError;
  }
}
