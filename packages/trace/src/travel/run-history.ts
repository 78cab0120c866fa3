/**
 * The past of a run, at any event: the state is the nearest keyframe before it and the few events in between. Keyframes are made as events
 * come in, so that going anywhere costs the same in a short run and a long one.
 */
import type { Attributes, TraceEvent } from '../event.ts';
import { type FoldSnapshot, RunFold } from '../folds/run-fold.ts';

/** Events between keyframes. Smaller makes seeking faster and takes more memory. */
export const keyframeInterval = 2_048;

export interface RunHistoryOptions {
  /** v1.Pod objects as they were before the first event, when the run's beginning is not to be had. */
  readonly pods?: readonly Attributes[];
  readonly keyframeInterval?: number;
}

/** A recorded run, or the past of a live one. Events are kept as they are given, in the order of their numbers. */
export class RunHistory {
  readonly #events: TraceEvent[] = [];
  readonly #keyframes: FoldSnapshot[];
  readonly #interval: number;
  /** v1.Pod objects as they were before the first event, when the run's beginning is not to be had. */
  readonly pods: readonly Attributes[];
  /** The folds this history brought to where they are: only these can go on, others may hold another run. */
  readonly #sought = new WeakSet<RunFold>();
  /** Stands at the newest event. */
  readonly #newest = new RunFold();

  constructor(events: Iterable<TraceEvent> = [], options: RunHistoryOptions = {}) {
    this.#interval = options.keyframeInterval ?? keyframeInterval;
    this.pods = options.pods ?? [];
    if (options.pods) this.#newest.seedPods(options.pods);
    this.#keyframes = [this.#newest.snapshot()];
    this.append(events);
  }

  /** Number of the first event; 1 without any. */
  get firstSeq(): number {
    return this.#events[0]?.seq ?? 1;
  }

  /** Number of the newest event; 0 without any. */
  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /** The state at the newest event. Changes with {@link append}; not to be changed by its readers. */
  get newest(): RunFold {
    return this.#newest;
  }

  /**
   * Adds what came after. An event that is there already is left out.
   * @throws RangeError when events in between are missing
   */
  append(events: Iterable<TraceEvent>): void {
    for (const event of events) {
      const last = this.#events.at(-1)?.seq;
      if (last !== undefined && event.seq <= last) continue;
      if (last !== undefined && event.seq !== last + 1) throw new RangeError(`events ${last + 1} to ${event.seq - 1} are missing`);
      this.#newest.apply(event);
      this.#events.push(event);
      if (this.#events.length % this.#interval === 0) this.#keyframes.push(this.#newest.snapshot());
    }
  }

  /** The event of that number. */
  at(seq: number): TraceEvent | undefined {
    return this.#events[seq - this.firstSeq];
  }

  /** Events `from` to `to`, both included, as far as they are there. */
  range(from: number, to: number): readonly TraceEvent[] {
    return this.#events.slice(Math.max(0, from - this.firstSeq), Math.max(0, to + 1 - this.firstSeq));
  }

  /**
   * Brings `fold` to the state after event `seq` (before the first: the state the run began in; beyond the last: the newest), and gives it
   * back. A fold that stands shortly before goes on from there.
   */
  seek(seq: number, fold: RunFold = new RunFold()): RunFold {
    const target = Math.min(seq, this.lastSeq);
    const keyframe = this.#keyframes.findLast(({ lastSeq }) => lastSeq <= Math.max(target, 0)) ?? this.#keyframes[0];
    const canGoOn = fold.lastSeq > 0 && fold.lastSeq <= target && fold.lastSeq >= (keyframe?.lastSeq ?? 0) && this.#sought.has(fold);
    if (!canGoOn && keyframe) {
      fold.restore(keyframe);
      this.#sought.add(fold);
    }
    for (let at = Math.max(0, fold.lastSeq + 1 - this.firstSeq); at < this.#events.length; at++) {
      const event = this.#events[at];
      if (!event || event.seq > target) break;
      fold.apply(event);
    }
    return fold;
  }

  /** Number of the last event that had happened at `time` (milliseconds since the Unix epoch); 0 before the first. */
  seqAt(time: number): number {
    let low = 0;
    let high = this.#events.length;
    // A clock that was set back leaves events out of order; any of those times leads near to it.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.time ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#events[low - 1]?.seq ?? 0;
  }
}
