/** Reads and writes `grpc-timeout`, the maximum duration that a client allows for a call, and measures what is left. */

const milliseconds: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};
/** The maximum value of the header, which may have eight digits. */
const maxDigits = 99_999_999;

/** Returns the timeout in milliseconds, or null if `text` is missing or invalid. */
function parseTimeout(text: string | undefined): number | null {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits) * (milliseconds[unit] ?? 0);
}

/** Returns the value of `grpc-timeout` for a time in milliseconds, which must be positive. */
export function formatTimeout(ms: number): string {
  const whole = Math.floor(ms);
  if (whole < 1) return `${Math.ceil(ms * 1_000)}u`;
  return whole <= maxDigits ? `${whole}m` : `${Math.floor(whole / 1_000)}S`;
}

/** The share of a call's timeout that a hold leaves to the runtime, limited by {@link marginBounds}. */
const marginShare = 0.1;
const marginBounds = { least: 1_000, most: 10_000 } as const;

/**
 * Returns the maximum duration of a hold of a call with this timeout, in milliseconds. The remaining time is left to
 * the runtime; it is at most half of the timeout.
 */
function longestHold(timeout: number): number {
  const margin = Math.min(marginBounds.most, Math.max(marginBounds.least, timeout * marginShare));
  return timeout - Math.min(margin, timeout / 2);
}

/** The deadline of a call that was opened now. */
export class Deadline {
  /** The time at which the call was opened, in milliseconds since the Unix epoch. */
  readonly opened = Date.now();
  /** The same on the monotonic clock. Changes of the system's time don't affect it. */
  readonly #openedAt = performance.now();
  /** The timeout in milliseconds; null if the call has no timeout. */
  readonly timeout: number | null;

  /** @param text the value of `grpc-timeout` */
  constructor(text: string | undefined) {
    this.timeout = parseTimeout(text);
  }

  /** The remaining time in milliseconds; infinite if the call has no timeout. */
  get remaining(): number {
    return this.timeout === null ? Number.POSITIVE_INFINITY : this.timeout - this.#elapsed;
  }

  /** The time at which a hold of the call has to end at the latest; null if the call has no timeout. */
  get holdLimit(): number | null {
    return this.timeout === null ? null : this.opened + longestHold(this.timeout);
  }

  /** How long the call may still be held, in milliseconds; infinite if the call has no timeout. */
  get holdable(): number {
    return this.timeout === null ? Number.POSITIVE_INFINITY : Math.max(0, longestHold(this.timeout) - this.#elapsed);
  }

  get #elapsed(): number {
    return performance.now() - this.#openedAt;
  }
}
