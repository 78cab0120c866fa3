/**
 * Reconstructs the state of a run after any event, from the nearest keyframe and the few events after it, so that
 * seeking costs the same in short and long runs. Few keyframes are taken as events arrive, because each copies all pods
 * and most of them are never used. The keyframes between them are created at the first seek into that part of the run.
 */
import type { Attributes, TraceEvent } from '../events/event.ts';
import { type FoldSnapshot, RunFold } from '../folds/run-fold.ts';

/** Number of events between keyframes. A smaller interval makes seeking faster and takes more memory. */
export const keyframeInterval = 2_048;

/** While events arrive, only every `stride`-th keyframe is taken. */
const stride = 8;

export interface RunHistoryOptions {
  /** v1.Pod objects before the first event, if the beginning of the run isn't available. */
  readonly pods?: readonly Attributes[];
  readonly keyframeInterval?: number;
}

/** A recorded run, or the past of a live one. Events are stored without copying, in order of their numbers. */
export class RunHistory {
  readonly #events: TraceEvent[] = [];
  readonly #keyframes: FoldSnapshot[];
  readonly #interval: number;
  /** v1.Pod objects before the first event, if the beginning of the run isn't available. */
  readonly pods: readonly Attributes[];
  /**
   * The folds that this history has moved before. Only these can continue from their position, because another fold may
   * contain another run.
   */
  readonly #sought = new WeakSet<RunFold>();
  /** The state after the newest event. */
  readonly #newest = new RunFold();

  constructor(events: Iterable<TraceEvent> = [], options: RunHistoryOptions = {}) {
    this.#interval = options.keyframeInterval ?? keyframeInterval;
    this.pods = options.pods ?? [];
    if (options.pods) this.#newest.seedPods(options.pods);
    this.#keyframes = [this.#newest.snapshot()];
    this.append(events);
  }

  /** Number of the first event; 1 without events. */
  get firstSeq(): number {
    return this.#events[0]?.seq ?? 1;
  }

  /** Number of the newest event; 0 without events. */
  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /** The state at the newest event. {@link append} changes it; callers must not. */
  get newest(): RunFold {
    return this.#newest;
  }

  /**
   * Adds new events. Ignores events that were already added.
   * @throws RangeError if events in between are missing
   */
  append(events: Iterable<TraceEvent>): void {
    let last = this.#events.at(-1)?.seq;
    for (const event of events) {
      const { seq } = event;
      if (last !== undefined && seq <= last) continue;
      if (last !== undefined && seq !== last + 1) throw new RangeError(`events ${last + 1} to ${seq - 1} are missing`);
      this.#newest.apply(event);
      last = seq;
      if (this.#events.push(event) % (this.#interval * stride) === 0) this.#keyframes.push(this.#newest.snapshot());
    }
  }

  /** Returns the event with that number. */
  at(seq: number): TraceEvent | undefined {
    return this.#events[seq - this.firstSeq];
  }

  /** Returns the events from `from` to `to` (inclusive) that exist. */
  range(from: number, to: number): readonly TraceEvent[] {
    return this.#events.slice(Math.max(0, from - this.firstSeq), Math.max(0, to + 1 - this.firstSeq));
  }

  /**
   * Moves `fold` to the state after event `seq` and returns it. If `seq` is before the first event, this is the initial
   * state. If it is after the last event, this is the newest state. A fold that is already shortly before `seq`
   * continues from its position.
   */
  seek(seq: number, fold: RunFold = new RunFold()): RunFold {
    const target = Math.min(seq, this.lastSeq);
    const keyframe = this.#keyframeBefore(target);
    const canGoOn =
      fold.lastSeq > 0 && fold.lastSeq <= target && fold.lastSeq >= (keyframe?.lastSeq ?? 0) && this.#sought.has(fold);
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

  /** Returns the last keyframe at or before event `seq`. First creates the missing keyframes up to that event. */
  #keyframeBefore(seq: number): FoldSnapshot | undefined {
    const at = this.#keyframes.findLastIndex(({ lastSeq }) => lastSeq <= Math.max(seq, 0));
    const known = this.#keyframes[Math.max(0, at)];
    if (!known) return undefined;
    const first = Math.max(0, known.lastSeq + 1 - this.firstSeq);
    const count = seq + 1 - this.firstSeq;
    const end = count - (count % this.#interval);
    if (first >= end) return known;
    const fold = new RunFold();
    fold.restore(known);
    const taken: FoldSnapshot[] = [];
    for (const [index, event] of this.#events.slice(first, end).entries()) {
      fold.apply(event);
      if ((first + index + 1) % this.#interval === 0) taken.push(fold.snapshot());
    }
    this.#keyframes.splice(Math.max(0, at) + 1, 0, ...taken);
    return taken.at(-1);
  }

  /**
   * Returns the number of the last event at or before `time` (milliseconds since the Unix epoch); 0 before the first.
   */
  seqAt(time: number): number {
    let low = 0;
    let high = this.#events.length;
    // The search assumes that times are in order. If the clock was set back during the run, they aren't, and the result
    // is approximate.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.time ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#events[low - 1]?.seq ?? 0;
  }
}
