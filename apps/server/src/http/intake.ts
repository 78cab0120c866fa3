/**
 * How fast one client is listened to. Whoever sends more is not cut off but read no faster: what it sends waits in its own buffers, so that
 * no client can keep the loop from the others.
 */
import type { Milliseconds } from '@podscope/trace';

export interface IntakeLimits {
  readonly messagesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** Far above what a page or a script sends, which waits for answers. */
const defaultIntakeLimits: IntakeLimits = { messagesPerSecond: 2_000, bytesPerSecond: 16 * 1024 * 1024 };

/** Counts what one client sends. A second's worth may come at once. */
export class Intake {
  readonly #limits: IntakeLimits;
  readonly #now: () => Milliseconds;
  #countedAt: Milliseconds;
  /** In seconds' worth of the limits: 1 is a second in which nothing came. */
  #credit = 1;

  constructor(now: () => Milliseconds, limits: IntakeLimits = defaultIntakeLimits) {
    this.#limits = limits;
    this.#now = now;
    this.#countedAt = now();
  }

  /** Counts a message. @returns how long to read nothing more, in milliseconds; 0 most of the time */
  take(bytes: number): Milliseconds {
    const now = this.#now();
    this.#credit = Math.min(1, this.#credit + (now - this.#countedAt) / 1_000);
    this.#countedAt = now;
    this.#credit -= Math.max(1 / this.#limits.messagesPerSecond, bytes / this.#limits.bytesPerSecond);
    return this.#credit >= 0 ? 0 : Math.ceil(-this.#credit * 1_000);
  }
}
