/** Whether the runtime and its network can be worked with. Upstream: pkg/kubelet/runtime.go (v1.36). */
import type { Instant, Milliseconds } from '@podscope/trace';

/** How long the runtime may stay silent. */
const baseRuntimeThreshold: Milliseconds = 30_000;

/** The last words of the runtime, and of who watches it. */
export class RuntimeState {
  #lastSync: Instant | undefined;
  #networkError: string | undefined = 'network state unknown';
  #runtimeError: string | undefined;

  /** The runtime answered and is ready. */
  setRuntimeSync(at: Instant): void {
    this.#lastSync = at;
  }

  setNetworkError(error: string | undefined): void {
    this.#networkError = error;
  }

  setRuntimeError(error: string | undefined): void {
    this.#runtimeError = error;
  }

  /** Why no pods may be worked on; empty when they may. `plegError`: what the PLEG says of itself. Upstream: runtimeErrors. */
  runtimeErrors(now: Instant, plegError: string | undefined): readonly string[] {
    const errors: string[] = [];
    if (this.#lastSync === undefined) errors.push('container runtime status check may not have completed yet');
    else if (now > this.#lastSync + baseRuntimeThreshold) errors.push('container runtime is down');
    if (plegError !== undefined) errors.push(`PLEG is not healthy: ${plegError}`);
    if (this.#runtimeError !== undefined) errors.push(this.#runtimeError);
    return errors;
  }

  /** Why pods without host network may not start. Upstream: networkErrors. */
  networkError(): string | undefined {
    return this.#networkError;
  }
}
