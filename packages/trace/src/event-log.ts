/** The log itself: numbers events without a gap, keeps the newest in memory, tells subscribers. */
import type { Clock } from './clock.ts';
import type { TraceEvent, UnstampedEvent } from './event.ts';
import type { EventSink } from './tracer.ts';

/** How many events are kept in memory when nothing else is said. */
export const defaultRetainedEvents = 200_000;

/** An append-only, ordered list of events. */
export class EventLog implements EventSink {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #subscribers = new Set<(event: TraceEvent) => void>();
  #events: TraceEvent[] = [];
  #firstSeq = 1;
  #lastSeq = 0;

  constructor(clock: Clock, limit: number = defaultRetainedEvents) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Number of the oldest event still here; `lastSeq + 1` when there is none. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Number of the newest event, 0 when there is none. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  append(event: UnstampedEvent): void {
    const stamped = { ...event, seq: ++this.#lastSeq, time: this.#clock.now() } as TraceEvent;
    this.#events.push(stamped);
    // Cut in blocks, so that the cost of dropping old events is spread thin.
    if (this.#events.length >= this.#limit * 1.25) {
      const drop = this.#events.length - this.#limit;
      this.#events = this.#events.slice(drop);
      this.#firstSeq += drop;
    }
    for (const subscriber of this.#subscribers) subscriber(stamped);
  }

  /** Up to `limit` events after number `seq`, oldest first. Events no longer kept are missing at the front: compare with {@link firstSeq}. */
  after(seq: number, limit: number = Number.POSITIVE_INFINITY): readonly TraceEvent[] {
    const start = Math.max(0, seq + 1 - this.#firstSeq);
    return this.#events.slice(start, limit === Number.POSITIVE_INFINITY ? undefined : start + limit);
  }

  /** Calls `listener` with each new event, synchronously; the returned function ends that. A listener must not throw. */
  subscribe(listener: (event: TraceEvent) => void): () => void {
    this.#subscribers.add(listener);
    return () => void this.#subscribers.delete(listener);
  }
}
