/** Orders the deletions of a deletor. Upstream: pod_container_deletor.go (v1.36), pod_sandbox_deleter.go (v1.20). */
import type { TaskGroup } from '../util/task-group.ts';

/** Runs deletions one after another, because upstream's deletors have one worker each. */
export class DeletionQueue {
  readonly #tasks: TaskGroup;
  readonly #capacity: number;
  #waiting = 0;
  #running: Promise<void> | undefined;

  constructor(tasks: TaskGroup, capacity: number) {
    this.#tasks = tasks;
    this.#capacity = capacity;
  }

  /** Reserves a place for an object. Returns false if the queue is full; the garbage collection then removes it. */
  reserve(): boolean {
    if (this.#waiting >= this.#capacity) return false;
    this.#waiting += 1;
    return true;
  }

  /**
   * Deletes objects that have places, after all that were added before. `work` calls `begin` with each object whose
   * deletion begins, which frees its place. `skipped` gets those that `work` didn't begin with, for example because a
   * fault replaced it.
   */
  add<T>(
    objects: readonly T[],
    work: (begin: (object: T) => void) => Promise<void>,
    skipped: (object: T) => void,
  ): void {
    const run = async (): Promise<void> => {
      const waiting = new Set(objects);
      const begin = (object: T): void => {
        if (waiting.delete(object)) this.#waiting -= 1;
      };
      try {
        await work(begin);
      } finally {
        for (const object of waiting) {
          begin(object);
          skipped(object);
        }
      }
    };
    this.#tasks.start(() => {
      const previous = this.#running;
      const running = (previous ? previous.then(run) : run()).finally(() => {
        if (this.#running === settled) this.#running = undefined;
      });
      const settled = running.catch(() => undefined);
      this.#running = settled;
      return running;
    });
  }
}
