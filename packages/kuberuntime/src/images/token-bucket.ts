/**
 * Implements a rate limit that rejects excess requests and doesn't delay them. Upstream:
 * flowcontrol.NewTokenBucketRateLimiter (client-go, v1.36).
 */
import type { Clock, Instant } from '@podscope/trace';

export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: Instant | undefined;

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes a token. Returns false if the bucket is empty. */
  tryAccept(clock: Clock): boolean {
    const now = clock.now();
    const elapsed = this.#filledAt === undefined ? 0 : (now - this.#filledAt) / 1000;
    this.#filledAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsed * this.#perSecond);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
