/**
 * Implements the timers of a virtual clock as a binary heap, so that scheduling stays cheap with thousands of timers.
 */
import type { Instant } from './clock.ts';

/** A scheduled timer. */
export interface TimerEntry {
  readonly due: Instant;
  /** Order of scheduling. Of two timers due at the same instant the earlier scheduled one runs first. */
  readonly order: number;
  readonly callback: () => void;
  /** True if the timer was canceled. It is dropped when it reaches the top. */
  canceled: boolean;
}

const before = (left: TimerEntry, right: TimerEntry): boolean =>
  left.due < right.due || (left.due === right.due && left.order < right.order);

/** Timers ordered by due time, then by order of scheduling. */
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
