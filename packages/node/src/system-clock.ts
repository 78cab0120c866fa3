/** Provides a clock of real time. No other module of the engine reads the host's clock. */
import { type Clock, type Instant, instant, type Milliseconds, type Timer } from '@podscope/trace';

/** The longest delay of a timer in the host, in ms. A timer with a longer delay would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * How far the two clocks of the host may differ, in ms, before the offset is computed again. They drift apart when the
 * machine sleeps or its clock is changed.
 */
const tolerance = 50;

/** A clock with the time of the wall clock and the resolution of the monotonic clock. */
class SystemClock implements Clock {
  #offset = 0;

  now(): Instant {
    // oxlint-disable-next-line no-restricted-globals, no-restricted-properties -- real time enters the engine here
    const [wall, fine] = [Date.now(), performance.now()];
    if (Math.abs(fine + this.#offset - wall) > tolerance) this.#offset = wall - fine;
    return instant(fine + this.#offset);
  }

  schedule(delay: Milliseconds, callback: () => void): Timer {
    let cancel: () => void;
    const arm = (left: Milliseconds): void => {
      const wait = Math.min(left, longestTimer);
      // oxlint-disable-next-line no-restricted-globals -- real time enters the engine here
      const timer = setTimeout(() => (left > wait ? arm(left - wait) : callback()), wait);
      // oxlint-disable-next-line no-restricted-globals -- real time enters the engine here
      cancel = () => clearTimeout(timer);
    };
    arm(Math.max(0, delay));
    return { cancel: () => cancel() };
  }
}

/** Returns a clock of real time. */
export const systemClock = (): Clock => new SystemClock();
