/** Reads and writes `grpc-timeout`, the time that a client gives a call. */

const milliseconds: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};
/** The longest value has eight digits. */
const maxDigits = 99_999_999;

/** Returns the timeout in milliseconds, or null if `text` is missing or invalid. */
export function parseTimeout(text: string | undefined): number | null {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits) * (milliseconds[unit] ?? 0);
}

/** Returns `grpc-timeout` for a time in milliseconds. */
export function formatTimeout(ms: number): string {
  const whole = Math.max(1, Math.floor(ms));
  return whole <= maxDigits ? `${whole}m` : `${Math.floor(whole / 1_000)}S`;
}

/** The share of a call's timeout that remains for the runtime after a hold, limited by {@link marginBounds}. */
const marginShare = 0.1;
const marginBounds = { least: 1_000, most: 10_000 } as const;

/**
 * Returns the maximum duration of a hold for a call with this timeout, in milliseconds. The rest of the timeout is left
 * for the runtime: at least half of a short timeout.
 */
export function longestHold(timeout: number): number {
  const margin = Math.min(marginBounds.most, Math.max(marginBounds.least, timeout * marginShare));
  return timeout - Math.min(margin, timeout / 2);
}
