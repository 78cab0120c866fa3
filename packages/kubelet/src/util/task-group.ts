/** Work that goes on in the background, so that whoever started it can wait for all of it to end. */

/** A set of running tasks. A task's failure goes to `onError`, never to the host as an unhandled rejection. */
export class TaskGroup {
  readonly #tasks = new Set<Promise<void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Starts a task; it runs at once up to its first await. */
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
