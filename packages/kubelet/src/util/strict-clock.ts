/**
 * Returns instants that never repeat. The pod cache treats a status as newer only if its time is later. A virtual clock
 * doesn't advance during work, so without this module a relist after a sync could have the same time as the sync.
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
