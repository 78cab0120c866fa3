/**
 * Implements a clock whose time advances only on request. Between two timers, all work runs that needs no time, so that
 * a run doesn't depend on the speed of the machine.
 */
import { addMilliseconds, type Clock, type Instant, instant, type Milliseconds, type Timer } from './clock.ts';
import { type TimerEntry, TimerHeap } from './timer-heap.ts';

/** Resolves in the next turn of the host's event loop, after all pending promise reactions. */
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
  #fired = 0;
  readonly #timers = new TimerHeap();

  constructor(start: Instant = instant(Date.UTC(2026, 0, 1))) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  schedule(delay: Milliseconds, callback: () => void): Timer {
    const entry: TimerEntry = {
      due: addMilliseconds(this.#now, Math.max(0, delay)),
      order: this.#order++,
      callback,
      canceled: false,
    };
    this.#timers.push(entry);
    return {
      cancel: () => {
        entry.canceled = true;
      },
    };
  }

  /**
   * Number of timers that have run. Together with {@link now}, it identifies a place between two timers, which a
   * repeated run reaches again.
   */
  get fired(): number {
    return this.#fired;
  }

  /** Returns the due time of the next timer, or undefined without timers. */
  nextDue(): Instant | undefined {
    return this.#timers.first()?.due;
  }

  /** Runs all pending work that needs no timer. */
  async settle(): Promise<void> {
    await macrotask();
  }

  /** Moves time forward by `ms` and runs the timers that fall due, in order. */
  async advance(ms: Milliseconds): Promise<void> {
    await this.advanceTo(addMilliseconds(this.#now, ms));
  }

  /**
   * Moves time forward to `target` and runs the timers that fall due, in order. Does nothing if `target` is in the
   * past.
   */
  async advanceTo(target: Instant): Promise<void> {
    await this.settle();
    while (await this.#fireNext(target));
    if (target > this.#now) this.#now = target;
  }

  /**
   * Moves time forward, timer by timer, until `condition` is true.
   * @throws Error if it isn't true after `limit` milliseconds of virtual time, or when no timer is left
   */
  async advanceUntil(condition: () => boolean, limit: Milliseconds = 3_600_000): Promise<void> {
    const end = addMilliseconds(this.#now, limit);
    await this.settle();
    while (!condition()) {
      if (!(await this.#fireNext(end)))
        throw new Error(`condition not met within ${limit} ms of virtual time: ${String(condition)}`);
    }
  }

  /**
   * Returns the result of `work`. Moves time forward to the next timer whenever nothing else can run.
   * @throws the error of `work`; Error when `work` still waits and no timer is left
   */
  async advanceWhile<T>(work: Promise<T>): Promise<T> {
    const state = { settled: false };
    const done = work.finally(() => {
      state.settled = true;
    });
    // The caller handles a rejection; this handler only prevents an unhandled rejection while time advances.
    done.catch(() => undefined);
    await this.settle();
    while (!state.settled) {
      const due = this.nextDue();
      if (due === undefined) throw new Error('the work waits for an event, and no timer is left');
      await this.advanceTo(due);
    }
    return done;
  }

  /**
   * If the next timer is due at `limit` or before, runs it and then all work that needs no time. Returns true if a
   * timer ran.
   */
  async fireNext(limit: Instant): Promise<boolean> {
    await this.settle();
    return this.#fireNext(limit);
  }

  async #fireNext(limit: Instant): Promise<boolean> {
    const entry = this.#timers.first();
    if (!entry || entry.due > limit) return false;
    this.#timers.pop();
    this.#fired++;
    if (entry.due > this.#now) this.#now = entry.due;
    entry.callback();
    await this.settle();
    return true;
  }
}
