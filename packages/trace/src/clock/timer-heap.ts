/** Implements the timers of a virtual clock as a binary heap. Scheduling stays cheap with thousands of timers. */
import type { Instant } from './clock.ts';

/** A scheduled timer. */
export interface TimerEntry {
  readonly due: Instant;
  /**
   * The number of the call that scheduled the timer. Of two timers for the same instant, the one that was scheduled
   * first runs first.
   */
  readonly order: number;
  readonly callback: () => void;
  /** Whether the timer was canceled. A canceled timer is dropped when it reaches the top of the heap. */
  canceled: boolean;
}

const before = (left: TimerEntry, right: TimerEntry): boolean =>
  left.due < right.due || (left.due === right.due && left.order < right.order);

/** Stores timers, ordered by the instant of their execution and then by the order of their scheduling. */
export class TimerHeap {
  readonly #entries: TimerEntry[] = [];

  push(entry: TimerEntry): void {
    const entries = this.#entries;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent];
      if (!above || before(above, entry)) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  /** Returns the next timer that isn't canceled. */
  first(): TimerEntry | undefined {
    while (this.#entries[0]?.canceled) this.pop();
    return this.#entries[0];
  }

  /** Removes the topmost entry. */
  pop(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (!last || entries.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const left = entries[child];
      if (!left) break;
      const right = entries[child + 1];
      if (right && before(right, left)) child++;
      const next = entries[child];
      if (!next || before(last, next)) break;
      entries[at] = next;
      at = child;
    }
    entries[at] = last;
  }
}
