/** Real time: the one place of the engine that asks the host for it. */
import { type Clock, type Instant, instant, type Milliseconds, type Timer } from '@podscope/trace';

/** The longest delay a host's timer takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** How far the fine clock may stray from the wall clock (suspended machine, clock set) before it is set anew, in milliseconds. */
const tolerance = 50;

/** Time of the host: the wall clock, with the monotonic clock's resolution. */
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

/** A clock of real time. */
export const systemClock = (): Clock => new SystemClock();
