/** Implements a clock that runs faster than real time, for tests with real connections. */
import { type Clock, type Instant, instant, type Milliseconds, type Timer } from '@podscope/trace';

export class FastClock implements Clock {
  readonly #speed: number;
  readonly #start = Date.now();
  readonly #monotonicStart = performance.now();

  /** @param speed how many simulated seconds pass per real second */
  constructor(speed = 1) {
    this.#speed = speed;
  }

  now(): Instant {
    return instant(this.#start + (performance.now() - this.#monotonicStart) * this.#speed);
  }

  schedule(delay: Milliseconds, callback: () => void): Timer {
    const timer = setTimeout(callback, delay / this.#speed);
    return { cancel: () => clearTimeout(timer) };
  }
}
