/**
 * Shares one sandbox between tests that only need one for their containers. Creating a sandbox for each would take most
 * of the time.
 */
import type { PodSandboxConfig } from '../messages.ts';

/** Runs a sandbox at the first call. Further calls return the same sandbox. */
export class SharedPod {
  #running: Promise<RunningSandbox> | undefined;

  get(run: () => Promise<RunningSandbox>): Promise<RunningSandbox> {
    this.#running ??= run();
    return this.#running;
  }

  /** Returns the sandbox; undefined if it wasn't created. */
  get running(): Promise<RunningSandbox> | undefined {
    return this.#running;
  }
}

/** A sandbox of a test. */
export interface RunningSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
}
