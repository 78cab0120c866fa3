var e=`/** The back-off that container restarts and image pulls share. Upstream: client-go util/flowcontrol/backoff.go (v1.36). */
import type { Clock, Instant, Milliseconds } from '@podscope/trace';

/** Between two instants, cut of what doubles add below the nanosecond: what is exactly as long as a back-off must not look shorter. */
const elapsed = (from: Instant, to: Instant): Milliseconds => Math.round((to - from) * 1e6) / 1e6;

export interface BackoffEntry {
  readonly backoff: Milliseconds;
  readonly lastUpdate: Instant;
  /** Someone ended this wait; the next failure counts on from it. */
  readonly waived?: true;
}

export interface BackoffOptions {
  readonly initial: Milliseconds;
  readonly max: Milliseconds;
  /** An entry is forgotten when more than this lies between its last update and the event asked about. Default 2 × max. */
  readonly expireAfter?: Milliseconds;
}

/** Back-offs by key: doubled at each failure up to a maximum, forgotten after a quiet time. */
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

  /** The back-off of \`key\`, 0 when there is none. */
  get(key: string): Milliseconds {
    return this.#entries.get(key)?.backoff ?? 0;
  }

  /** Arms or doubles the back-off of \`key\` after the failure at \`eventTime\`. */
  next(key: string, eventTime: Instant): Milliseconds {
    const entry = this.#entries.get(key);
    const backoff = entry && !this.#expired(entry, eventTime) ? Math.min(2 * entry.backoff, this.#max) : this.#initial;
    this.#entries.set(key, { backoff, lastUpdate: this.#clock.now() });
    return backoff;
  }

  /** True while less than the back-off has passed since \`eventTime\`. */
  isInBackOffSince(key: string, eventTime: Instant): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && !entry.waived && !this.#expired(entry, eventTime) && elapsed(eventTime, this.#clock.now()) < entry.backoff;
  }

  /** True while less than the back-off lies between the last update and \`eventTime\`. */
  isInBackOffSinceUpdate(key: string, eventTime: Instant): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && !entry.waived && !this.#expired(entry, eventTime) && elapsed(entry.lastUpdate, eventTime) < entry.backoff;
  }

  /** Ends the wait of \`key\`, and lets its next failure count on from there. False when there is none. For a person, not for the flow. */
  waive(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.set(key, { ...entry, waived: true });
    return true;
  }

  /** Gives \`key\` a back-off of that length, as if its last failure had led to it. For a person, not for the flow. */
  set(key: string, backoff: Milliseconds): void {
    this.#entries.set(key, { backoff, lastUpdate: this.#entries.get(key)?.lastUpdate ?? this.#clock.now() });
  }

  /** Puts an entry in place, as it was in another kubelet's memory. Not for the flow: a kubelet that starts knows of none. */
  restore(key: string, entry: BackoffEntry): void {
    this.#entries.set(key, entry);
  }

  /** Forgets \`key\`. */
  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets what has expired by now; gives back the keys it dropped. */
  gc(): readonly string[] {
    const now = this.#clock.now();
    const expired = [...this.#entries].filter(([, entry]) => this.#expired(entry, now)).map(([key]) => key);
    for (const key of expired) this.#entries.delete(key);
    return expired;
  }

  /** All entries, for showing. */
  entries(): ReadonlyMap<string, BackoffEntry> {
    return this.#entries;
  }

  #expired(entry: BackoffEntry, eventTime: Instant): boolean {
    return elapsed(entry.lastUpdate, eventTime) > this.#expireAfter;
  }
}
`;export{e as default};
//# sourceMappingURL=backoff-BnckcTU4.js.map