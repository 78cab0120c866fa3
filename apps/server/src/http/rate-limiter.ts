/**
 * Limits the rate at which one client's messages are read. A client that sends faster isn't disconnected. Its messages
 * wait in its own buffers, so it can't delay other clients.
 */
import type { Milliseconds } from '@podscope/trace';

export interface RateLimits {
  readonly messagesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** The default limits are far above the rate of the page and of scripts, because these wait for responses. */
const defaultRateLimits: RateLimits = { messagesPerSecond: 2_000, bytesPerSecond: 16 * 1024 * 1024 };

/** A token bucket for one client. The messages of one second may arrive at once. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #now: () => Milliseconds;
  #countedAt: Milliseconds;
  /** The remaining tokens, as the number of seconds of traffic that they allow: 1 after a second without messages. */
  #credit = 1;

  constructor(now: () => Milliseconds, limits: RateLimits = defaultRateLimits) {
    this.#limits = limits;
    this.#now = now;
    this.#countedAt = now();
  }

  /** Counts a message. @returns how long to stop reading, in milliseconds; 0 within the limits */
  take(bytes: number): Milliseconds {
    const now = this.#now();
    this.#credit = Math.min(1, this.#credit + (now - this.#countedAt) / 1_000);
    this.#countedAt = now;
    this.#credit -= Math.max(1 / this.#limits.messagesPerSecond, bytes / this.#limits.bytesPerSecond);
    return this.#credit >= 0 ? 0 : Math.ceil(-this.#credit * 1_000);
  }
}
