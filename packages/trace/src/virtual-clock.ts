/**
 * A clock that moves only when told to. Between two timers everything that can run without time passing runs first, so that a run on
 * this clock does not depend on the speed of the machine.
 */
import { addMilliseconds, type Clock, type Instant, instant, type Milliseconds, type Timer } from './clock.ts';

interface Entry {
  readonly due: Instant;
  readonly order: number;
  readonly callback: () => void;
}

/** Yields to the host's event loop once, by which time every pending promise reaction has run. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/** A {@link Clock} on virtual time. Timers due at the same instant run in the order in which they were scheduled. */
export class VirtualClock implements Clock {
  #now: Instant;
  #order = 0;
  readonly #entries = new Set<Entry>();

  constructor(start: Instant = instant(Date.UTC(2026, 0, 1))) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  schedule(delay: Milliseconds, callback: () => void): Timer {
    const entry: Entry = { due: addMilliseconds(this.#now, Math.max(0, delay)), order: this.#order++, callback };
    this.#entries.add(entry);
    return { cancel: () => void this.#entries.delete(entry) };
  }

  /** When the next timer is due, or undefined when none is set. */
  nextDue(): Instant | undefined {
    return this.#next()?.due;
  }

  /** Lets everything run that needs no time to pass. */
  async settle(): Promise<void> {
    await macrotask();
  }

  /** Moves time forward by `ms`, running what falls due in order. */
  async advance(ms: Milliseconds): Promise<void> {
    await this.advanceTo(addMilliseconds(this.#now, ms));
  }

  /** Moves time forward to `target`, running what falls due in order. Does nothing when `target` lies in the past. */
  async advanceTo(target: Instant): Promise<void> {
    await this.settle();
    for (let entry = this.#next(); entry && entry.due <= target; entry = this.#next()) {
      this.#fire(entry);
      await this.settle();
    }
    if (target > this.#now) this.#now = target;
  }

  /**
   * Moves time forward, timer by timer, until `condition` holds.
   * @throws Error when it does not hold within `limit` milliseconds of virtual time or no timer is left.
   */
  async advanceUntil(condition: () => boolean, limit: Milliseconds = 3_600_000): Promise<void> {
    const end = addMilliseconds(this.#now, limit);
    await this.settle();
    while (!condition()) {
      const entry = this.#next();
      if (!entry || entry.due > end) throw new Error(`condition not met within ${limit} ms of virtual time: ${String(condition)}`);
      this.#fire(entry);
      await this.settle();
    }
  }

  #fire(entry: Entry): void {
    this.#entries.delete(entry);
    if (entry.due > this.#now) this.#now = entry.due;
    entry.callback();
  }

  #next(): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries) {
      if (!first || entry.due < first.due || (entry.due === first.due && entry.order < first.order)) first = entry;
    }
    return first;
  }
}
