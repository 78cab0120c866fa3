/** Tracks background work, so that its owner can wait for all of it. */

/** A set of running tasks. The failure of a task goes to `onError` and never becomes an unhandled rejection. */
export class TaskGroup {
  readonly #tasks = new Set<Promise<void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Starts a task; it runs immediately up to its first await. */
  start(task: () => Promise<void>): void {
    const running = task()
      .catch(this.#onError)
      .finally(() => this.#tasks.delete(running));
    this.#tasks.add(running);
  }

  /** Resolves when no task is left, including those that tasks started meanwhile. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }
}
