/**
 * Defines the engine's clock. The engine never reads the machine's time and always receives a {@link Clock}. So the
 * simulator can run an hour of back-off in a second, and tests are exact.
 */

/** A point in time: milliseconds since the Unix epoch, with fractions (a double keeps about 0.25 µs). */
export type Instant = number & { readonly __instant: never };

/** A duration in milliseconds. */
export type Milliseconds = number;

/** Returns milliseconds since the Unix epoch as an {@link Instant}. */
export const instant = (ms: number): Instant => ms as Instant;

/** Returns the instant `ms` after `at`, or before it if `ms` is negative. */
export const addMilliseconds = (at: Instant, ms: Milliseconds): Instant => instant(at + ms);

/** A scheduled callback that can be canceled. */
export interface Timer {
  /** Cancels the callback. Has no effect after it has run. */
  cancel(): void;
}

/** The engine's only source of time. */
export interface Clock {
  /** The current instant. */
  now(): Instant;
  /** Runs `callback` once after `delay` milliseconds, never synchronously (not even for 0). */
  schedule(delay: Milliseconds, callback: () => void): Timer;
}

/** Resolves after `ms`; rejects with the signal's reason as soon as `signal` is aborted. */
export function sleep(clock: Clock, ms: Milliseconds, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

const secondsPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Formats an instant like `metav1.Time`: RFC 3339 in UTC, truncated to seconds. */
export const formatTime = (at: Instant): string =>
  `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** Formats an instant like `metav1.MicroTime`: RFC 3339 in UTC, with microseconds. */
export function formatMicroTime(at: Instant): string {
  const seconds = Math.floor(at / 1000);
  const micros = Math.floor((at - seconds * 1000) * 1000);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/**
 * Parses an RFC 3339 time with any number of fraction digits.
 * @throws RangeError with the text if it isn't RFC 3339
 */
export function parseTime(text: string): Instant {
  const match = secondsPattern.exec(text);
  const base = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (Number.isNaN(base)) throw new RangeError(`not an RFC 3339 time: ${JSON.stringify(text)}`);
  return instant(base + (match?.[2] ? Number(`0.${match[2]}`) * 1000 : 0));
}

/** Converts an instant to CRI's nanoseconds since the Unix epoch (exact to the microsecond). */
export const toNanoseconds = (at: Instant): bigint => BigInt(Math.round(at * 1000)) * 1000n;

/** Converts CRI's nanoseconds since the Unix epoch to an instant. */
export const fromNanoseconds = (ns: bigint): Instant =>
  instant(Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1e6);
