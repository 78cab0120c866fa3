/** Tracks which pods are due for a sync, and when. Upstream: pkg/kubelet/util/queue/work_queue.go (v1.36). */
import { addMilliseconds, type Clock, type Instant, type Milliseconds } from '@podscope/trace';

/** Stores due times by key. A later entry for a key replaces the earlier one. */
export class WorkQueue {
  readonly #due = new Map<string, Instant>();

  /** Makes `key` due after `delay`. */
  enqueue(clock: Clock, key: string, delay: Milliseconds): void {
    this.#due.set(key, addMilliseconds(clock.now(), delay));
  }

  /** Removes and returns every key that is due. */
  getWork(clock: Clock): readonly string[] {
    const now = clock.now();
    const ready = [...this.#due].filter(([, due]) => due < now).map(([key]) => key);
    for (const key of ready) this.#due.delete(key);
    return ready;
  }

  /** Returns the instant at which `key` is due; undefined for an unknown key. */
  dueTime(key: string): Instant | undefined {
    return this.#due.get(key);
  }
}
