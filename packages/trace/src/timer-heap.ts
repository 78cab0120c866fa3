/** The timers of a virtual clock, the next one first: a binary heap, so that a thousand pods' timers cost little. */
import type { Instant } from './clock.ts';

/** A timer that waits. */
export interface TimerEntry {
  readonly due: Instant;
  /** Tells timers of the same instant apart: the earlier scheduled runs first. */
  readonly order: number;
  readonly callback: () => void;
  /** Taken back: it is dropped when its turn comes. */
  canceled: boolean;
}

const before = (left: TimerEntry, right: TimerEntry): boolean => left.due < right.due || (left.due === right.due && left.order < right.order);

/** Timers by due time, then by the order in which they were scheduled. */
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

  /** The next timer that was not taken back. */
  first(): TimerEntry | undefined {
    while (this.#entries[0]?.canceled) this.pop();
    return this.#entries[0];
  }

  /** Takes the topmost entry away. */
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
