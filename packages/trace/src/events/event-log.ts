/** Implements the event log. It numbers events without gaps, keeps the newest in memory and notifies subscribers. */
import type { Clock } from '../clock/clock.ts';
import type { EventSink } from '../tracer.ts';
import type { TraceEvent, UnstampedEvent } from './event.ts';

/** How many events are kept in memory by default. */
export const defaultRetainedEvents = 200_000;

/** An append-only, ordered list of events. */
export class EventLog implements EventSink {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #subscribers = new Set<(event: TraceEvent) => void>();
  #events: TraceEvent[] = [];
  #firstSeq = 1;
  #lastSeq = 0;

  /** @param earlier the newest events of a run that continues, without a gap */
  constructor(clock: Clock, limit: number = defaultRetainedEvents, earlier: readonly TraceEvent[] = []) {
    this.#clock = clock;
    this.#limit = limit;
    this.#events = [...earlier];
    this.#firstSeq = earlier[0]?.seq ?? 1;
    this.#lastSeq = earlier.at(-1)?.seq ?? 0;
  }

  /** Number of the oldest event in memory; `lastSeq + 1` if the log is empty. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Number of the newest event; 0 if the log is empty. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  append(event: UnstampedEvent): void {
    const stamped = { ...event, seq: ++this.#lastSeq, time: this.#clock.now() } as TraceEvent;
    this.#events.push(stamped);
    // Old events are dropped in blocks, so that appending stays cheap on average.
    if (this.#events.length >= this.#limit * 1.25) {
      const drop = this.#events.length - this.#limit;
      this.#events = this.#events.slice(drop);
      this.#firstSeq += drop;
    }
    for (const subscriber of this.#subscribers) subscriber(stamped);
  }

  /**
   * Returns up to `limit` events after the number `seq`, the oldest first. Events that were dropped from memory are
   * missing at the beginning; {@link firstSeq} shows whether any were.
   */
  after(seq: number, limit: number = Number.POSITIVE_INFINITY): readonly TraceEvent[] {
    const start = Math.max(0, seq + 1 - this.#firstSeq);
    return this.#events.slice(start, limit === Number.POSITIVE_INFINITY ? undefined : start + limit);
  }

  /**
   * Calls `listener` synchronously with each new event until the returned function is called. The listener must not
   * throw.
   */
  subscribe(listener: (event: TraceEvent) => void): () => void {
    this.#subscribers.add(listener);
    return () => void this.#subscribers.delete(listener);
  }
}
