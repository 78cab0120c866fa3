/**
 * Returns instants that never repeat. The pod cache compares times with "later than"; a virtual clock doesn't advance
 * during work, so two readings could be equal and a relist after a sync wouldn't count as newer.
 */
import { addMilliseconds, type Clock, type Instant, instant } from '@podscope/trace';

const microsecond = 0.001;

/** Reads a clock so that each reading is at least a microsecond later than the one before. */
export class StrictClock {
  #last = instant(0);

  now(clock: Clock): Instant {
    const now = clock.now();
    this.#last = now > this.#last ? now : addMilliseconds(this.#last, microsecond);
    return this.#last;
  }
}
