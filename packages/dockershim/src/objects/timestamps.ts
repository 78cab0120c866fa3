/** Converts Docker's timestamps to CRI's. */
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;
const zeroTime = '0001-01-01T00:00:00Z';

/**
 * Returns the nanoseconds since the Unix epoch. Go's zero time becomes 0, which CRI treats as unset.
 * @throws RangeError if the text isn't RFC 3339
 */
export function parseTimestamp(text: string): bigint {
  if (text === zeroTime) return 0n;
  const match = pattern.exec(text);
  const milliseconds = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new RangeError(`parsing time ${goQuote(text)}: not RFC 3339`);
  return BigInt(milliseconds) * 1_000_000n + BigInt((match?.[2] ?? '').padEnd(9, '0'));
}

/**
 * Returns the timestamp in a field of a container.
 * @throws CriError Internal for an invalid timestamp
 */
export function containerTimestamp(id: string, text: string): bigint {
  try {
    return parseTimestamp(text);
  } catch (cause) {
    throw new CriError(
      'Internal',
      `failed to parse timestamp for container ${goQuote(id)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Converts whole seconds since the Unix epoch to nanoseconds. */
export const secondsToNanoseconds = (seconds: number): bigint => BigInt(seconds) * 1_000_000_000n;
