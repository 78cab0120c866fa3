/** Finds the status of a pod before and after a span. Reads each event once while the span continues. */
import type { RunHistory } from '@podscope/trace';

export class StatusDuring {
  /** The last status before the span; undefined for the first status of a pod. */
  readonly before: unknown;
  readonly #history: Pick<RunHistory, 'at' | 'firstSeq'>;
  readonly #uid: string;
  readonly #startSeq: number;
  /** The last event that was read, and the last status up to it. */
  #read: number;
  #after: unknown;

  /** @param startSeq number of the event with which the span began */
  constructor(history: Pick<RunHistory, 'at' | 'firstSeq'>, uid: string, startSeq: number) {
    this.#history = history;
    this.#uid = uid;
    this.#startSeq = startSeq;
    let seq = startSeq;
    while (seq >= history.firstSeq && this.#statusAt(seq) === undefined) seq--;
    this.before = this.#statusAt(seq);
    this.#after = this.before;
    this.#read = startSeq;
  }

  /** Returns the last status up to event `seq`, which isn't before the span. */
  upTo(seq: number): unknown {
    if (seq < this.#read) {
      this.#read = this.#startSeq;
      this.#after = this.before;
    }
    for (; this.#read < seq; this.#read++) this.#after = this.#statusAt(this.#read + 1) ?? this.#after;
    return this.#after;
  }

  /** Returns the status with which event `seq` replaces that of the pod; undefined for other events. */
  #statusAt(seq: number): unknown {
    const event = this.#history.at(seq);
    return event?.type === 'podStatus' && event.pod === this.#uid ? event.status : undefined;
  }
}
