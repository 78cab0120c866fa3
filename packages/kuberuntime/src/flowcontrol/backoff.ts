/**
 * Implements the back-off of container restarts and image pulls. Upstream: client-go util/flowcontrol/backoff.go
 * (v1.36).
 */
import type { Clock, Instant, Milliseconds } from '@podscope/trace';

/**
 * Returns the time between two instants, rounded to nanoseconds. Without rounding, a floating-point error could make an
 * expired back-off look active.
 */
const elapsed = (from: Instant, to: Instant): Milliseconds => Math.round((to - from) * 1e6) / 1e6;

export interface BackoffEntry {
  readonly backoff: Milliseconds;
  readonly lastUpdate: Instant;
  /** True if a debugger ended the wait. The next failure then continues from this back-off. */
  readonly waived?: true;
}

export interface BackoffOptions {
  readonly initial: Milliseconds;
  readonly max: Milliseconds;
  /**
   * How long an entry is kept after its last update. An event after this time starts with the initial back-off.
   * Default: 2 × max.
   */
  readonly expireAfter?: Milliseconds;
}

/** Stores back-offs by key. Each failure doubles a back-off up to a maximum; a period without failures resets it. */
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

  /** Starts the back-off of `key`, or doubles it, after a failure at `eventTime`. */
  next(key: string, eventTime: Instant): Milliseconds {
    const entry = this.#entries.get(key);
    const backoff = entry && !this.#expired(entry, eventTime) ? Math.min(2 * entry.backoff, this.#max) : this.#initial;
    this.#entries.set(key, { backoff, lastUpdate: this.#clock.now() });
    return backoff;
  }

  /** Returns true while the time since `eventTime` is shorter than the back-off. */
  isInBackOffSince(key: string, eventTime: Instant): boolean {
    const entry = this.#entries.get(key);
    return (
      entry !== undefined &&
      !entry.waived &&
      !this.#expired(entry, eventTime) &&
      elapsed(eventTime, this.#clock.now()) < entry.backoff
    );
  }

  /** Returns true if the time between the last update and `eventTime` is shorter than the back-off. */
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
   * Ends the wait of `key`. The next failure continues from the current back-off. Returns false if `key` has no entry.
   * Only a debugger calls it.
   */
  waive(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.set(key, { ...entry, waived: true });
    return true;
  }

  /** Sets the back-off of `key`, as if the last failure had caused this value. Only a debugger calls it. */
  set(key: string, backoff: Milliseconds): void {
    this.#entries.set(key, { backoff, lastUpdate: this.#entries.get(key)?.lastUpdate ?? this.#clock.now() });
  }

  /** Restores an entry that another kubelet had in memory. A kubelet that starts normally has no entries. */
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

  /** Returns all entries, for display in the page. */
  entries(): ReadonlyMap<string, BackoffEntry> {
    return this.#entries;
  }

  #expired(entry: BackoffEntry, eventTime: Instant): boolean {
    return elapsed(entry.lastUpdate, eventTime) > this.#expireAfter;
  }
}
