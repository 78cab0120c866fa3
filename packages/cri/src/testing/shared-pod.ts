/**
 * Shares one sandbox between tests that only need a place for containers, because creating sandboxes takes most of the
 * time.
 */
import type { PodSandboxConfig } from '../messages.ts';

/** Runs a sandbox at the first call and returns the same one afterwards. */
export class SharedPod {
  #running: Promise<RunningSandbox> | undefined;

  get(run: () => Promise<RunningSandbox>): Promise<RunningSandbox> {
    this.#running ??= run();
    return this.#running;
  }

  /** Returns the sandbox if it was created. */
  get running(): Promise<RunningSandbox> | undefined {
    return this.#running;
  }
}

/** A sandbox of a test. */
export interface RunningSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
}
