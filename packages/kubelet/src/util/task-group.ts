/** Tracks background work, so that its owner can wait for all of it. */

/**
 * Runs tasks in the background. The error of a failed task is passed to `onError`, so it never becomes an unhandled
 * rejection.
 */
export class TaskGroup {
  readonly #tasks = new Set<Promise<void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Starts a task. The task runs synchronously up to its first await. */
  start(task: () => Promise<void>): void {
    const running = task()
      .catch(this.#onError)
      .finally(() => this.#tasks.delete(running));
    this.#tasks.add(running);
  }

  /** Resolves when no task is running. Tasks that start during the wait are waited for, too. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }
}
