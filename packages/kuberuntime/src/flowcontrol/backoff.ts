/**
 * Implements the back-off of container restarts and image pulls. Upstream: client-go util/flowcontrol/backoff.go
 * (v1.36).
 */
import type { Clock, Instant, Milliseconds } from '@podscope/trace';

/**
 * Returns the time between two instants, rounded to nanoseconds: floating-point noise must not make a completed
 * back-off look shorter.
 */
const elapsed = (from: Instant, to: Instant): Milliseconds => Math.round((to - from) * 1e6) / 1e6;

export interface BackoffEntry {
  readonly backoff: Milliseconds;
  readonly lastUpdate: Instant;
  /** The wait was ended by hand; the next failure continues from this back-off. */
  readonly waived?: true;
}

export interface BackoffOptions {
  readonly initial: Milliseconds;
  readonly max: Milliseconds;
  /**
   * An entry expires when more than this time lies between its last update and the event in question. Default: 2 × max.
   */
  readonly expireAfter?: Milliseconds;
}

/** Back-offs by key: doubled at each failure up to a maximum, reset after a quiet period. */
export class Backoff {
  readonly #clock: Clock;
  readonly #initial: Milliseconds;
  readonly #max: Milliseconds;
  readonly #expireAfter: Milliseconds;
  readonly #entries = new Map<string, BackoffEntry>();

  constructor(clock: Clock, { initial, max, expireAfter = 2 * max }: BackoffOptions) {
    this.#clock = clock;
    this.#initial = initial;
    this.#max = max;
    this.#expireAfter = expireAfter;
  }

  /** Returns the back-off of `key`, or 0 if it has no entry. */
  get(key: string): Milliseconds {
    return this.#entries.get(key)?.backoff ?? 0;
  }

  /** Arms or doubles the back-off of `key` after a failure at `eventTime`. */
  next(key: string, eventTime: Instant): Milliseconds {
    const entry = this.#entries.get(key);
    const backoff = entry && !this.#expired(entry, eventTime) ? Math.min(2 * entry.backoff, this.#max) : this.#initial;
    this.#entries.set(key, { backoff, lastUpdate: this.#clock.now() });
    return backoff;
  }

  /** Returns true while less than the back-off has passed since `eventTime`. */
  isInBackOffSince(key: string, eventTime: Instant): boolean {
    const entry = this.#entries.get(key);
    return (
      entry !== undefined &&
      !entry.waived &&
      !this.#expired(entry, eventTime) &&
      elapsed(eventTime, this.#clock.now()) < entry.backoff
    );
  }

  /** Returns true while less than the back-off lies between the last update and `eventTime`. */
  isInBackOffSinceUpdate(key: string, eventTime: Instant): boolean {
    const entry = this.#entries.get(key);
    return (
      entry !== undefined &&
      !entry.waived &&
      !this.#expired(entry, eventTime) &&
      elapsed(entry.lastUpdate, eventTime) < entry.backoff
    );
  }

  /**
   * Ends the wait of `key`; its next failure continues from the current back-off. Returns false if `key` has no entry.
   * For manual use, not for the flow.
   */
  waive(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.set(key, { ...entry, waived: true });
    return true;
  }

  /** Sets the back-off of `key`, as if its last failure had led to it. For manual use, not for the flow. */
  set(key: string, backoff: Milliseconds): void {
    this.#entries.set(key, { backoff, lastUpdate: this.#entries.get(key)?.lastUpdate ?? this.#clock.now() });
  }

  /** Restores an entry from another kubelet's memory. Not for the flow: a starting kubelet has no entries. */
  restore(key: string, entry: BackoffEntry): void {
    this.#entries.set(key, entry);
  }

  /** Removes the entry of `key`. */
  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Removes expired entries and returns their keys. */
  gc(): readonly string[] {
    const now = this.#clock.now();
    const expired = [...this.#entries].filter(([, entry]) => this.#expired(entry, now)).map(([key]) => key);
    for (const key of expired) this.#entries.delete(key);
    return expired;
  }

  /** Returns all entries, for display. */
  entries(): ReadonlyMap<string, BackoffEntry> {
    return this.#entries;
  }

  #expired(entry: BackoffEntry, eventTime: Instant): boolean {
    return elapsed(entry.lastUpdate, eventTime) > this.#expireAfter;
  }
}
