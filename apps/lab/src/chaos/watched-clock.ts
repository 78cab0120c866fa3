/**
 * Implements a virtual clock that can be set, as an administrator or NTP does, and that counts its timers to find
 * leaks.
 */
import { type Clock, type Instant, instant, type Milliseconds, type Timer, VirtualClock } from '@podscope/trace';

/** Timers follow the elapsed time; the time that the clock shows can jump. */
export class WatchedClock implements Clock {
  readonly time = new VirtualClock();
  #jumped: Milliseconds = 0;
  #live = 0;

  now(): Instant {
    return instant(this.time.now() + this.#jumped);
  }

  schedule(delay: Milliseconds, callback: () => void): Timer {
    let live = true;
    this.#live += 1;
    const end = (): void => {
      if (live) this.#live -= 1;
      live = false;
    };
    const timer = this.time.schedule(delay, () => {
      end();
      callback();
    });
    return {
      cancel: () => {
        end();
        timer.cancel();
      },
    };
  }

  jump(by: Milliseconds): void {
    this.#jumped += by;
  }

  /** Number of timers that are neither due nor canceled. */
  get live(): number {
    return this.#live;
  }
}
