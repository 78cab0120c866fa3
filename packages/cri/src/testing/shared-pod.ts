/** One sandbox for all tests that only need some place for their containers: making one for each would take most of the suite's time. */
import type { RunningSandbox } from './scene.ts';

/** Runs a sandbox at the first call, and hands out the same one from then on. */
export class SharedPod {
  #running: Promise<RunningSandbox> | undefined;

  get(run: () => Promise<RunningSandbox>): Promise<RunningSandbox> {
    this.#running ??= run();
    return this.#running;
  }

  /** The sandbox, if one was run. */
  get running(): Promise<RunningSandbox> | undefined {
    return this.#running;
  }
}
