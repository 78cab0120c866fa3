/**
 * Time as the engine sees it. The engine never reads an ambient clock: it is handed a {@link Clock}, so that the simulator can run an
 * hour of back-off in a second and a test can be exact.
 */

/** A point in time: milliseconds since the Unix epoch, fractions allowed (a double keeps about 0.25 µs). */
export type Instant = number & { readonly __instant: never };

/** A length of time in milliseconds. */
export type Milliseconds = number;

/** Brands a number of milliseconds since the Unix epoch as an {@link Instant}. */
export const instant = (ms: number): Instant => ms as Instant;

/** The instant `ms` after (or, negative, before) `at`. */
export const addMilliseconds = (at: Instant, ms: Milliseconds): Instant => instant(at + ms);

/** A scheduled callback that can be taken back. */
export interface Timer {
  /** Takes the callback back. Harmless once it has run. */
  cancel(): void;
}

/** The engine's only source of time. */
export interface Clock {
  /** The current instant. */
  now(): Instant;
  /** Runs `callback` once, `delay` milliseconds from now (at least one turn later, also for 0). */
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

/** Formats as RFC 3339 in UTC cut to whole seconds, the form of `metav1.Time`. */
export const formatTime = (at: Instant): string => `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** Formats as RFC 3339 in UTC with microseconds, the form of `metav1.MicroTime`. */
export function formatMicroTime(at: Instant): string {
  const seconds = Math.floor(at / 1000);
  const micros = Math.floor((at - seconds * 1000) * 1000);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/**
 * Reads RFC 3339 with any number of fraction digits.
 * @throws RangeError naming the text when it is not RFC 3339.
 */
export function parseTime(text: string): Instant {
  const match = secondsPattern.exec(text);
  const base = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (Number.isNaN(base)) throw new RangeError(`not an RFC 3339 time: ${JSON.stringify(text)}`);
  return instant(base + (match?.[2] ? Number(`0.${match[2]}`) * 1000 : 0));
}

/** An instant as CRI carries it: nanoseconds since the Unix epoch (exact to the microsecond). */
export const toNanoseconds = (at: Instant): bigint => BigInt(Math.round(at * 1000)) * 1000n;

/** CRI's nanoseconds since the Unix epoch as an instant. */
export const fromNanoseconds = (ns: bigint): Instant => instant(Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1e6);
