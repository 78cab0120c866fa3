/**
 * Stores the events of an observed kubelet or cluster with the times at which they happened. These times never
 * decrease.
 */
import { systemClock } from '@podscope/node';
import type { ObservationSink } from '@podscope/observer';
import { type Clock, EventLog, type Instant, instant, type TraceEvent, type UnstampedEvent } from '@podscope/trace';

/** A clock that shows the time of the event that is being appended. */
class EventClock implements Clock {
  readonly #real = systemClock();
  #at: Instant | undefined;

  now(): Instant {
    return this.#at ?? this.#real.now();
  }

  readonly schedule: Clock['schedule'] = (delay, callback) => this.#real.schedule(delay, callback);

  during(at: Instant, action: () => void): void {
    this.#at = at;
    try {
      action();
    } finally {
      this.#at = undefined;
    }
  }
}

/**
 * An event log that stamps events with the time at which they happened. An event that happened before the previous one
 * gets the time of the previous one, so that times never decrease, and its own time in the field `at`.
 */
export class LiveLog implements ObservationSink {
  readonly clock = new EventClock();
  readonly log: EventLog;
  #last: number;

  /** @param earlier the newest events of an earlier process, if the run continues */
  constructor(limit?: number, earlier: readonly TraceEvent[] = []) {
    this.log = new EventLog(this.clock, limit, earlier);
    this.#last = earlier.at(-1)?.time ?? 0;
  }

  append(time: number, event: UnstampedEvent): void {
    const isLate = time < this.#last;
    this.#last = Math.max(this.#last, time);
    this.clock.during(instant(this.#last), () => this.log.append(isLate ? { ...event, at: time } : event));
  }
}
