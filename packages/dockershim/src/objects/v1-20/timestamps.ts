/** Converts Docker's timestamps as v1.20 did. */
import { containerTimestamp } from '../timestamps.ts';

const zeroTime = '0001-01-01T00:00:00Z';
/** Go's zero time in nanoseconds. The value is the result of an overflow. */
const goZeroNanoseconds = -6_795_364_578_871_345_152n;

export const isZeroTime = (text: string): boolean => text === zeroTime;

/**
 * Returns the nanoseconds since the Unix epoch. For Go's zero time, the result overflows as in Go.
 * @throws CriError for an invalid text
 */
export const goNanoseconds = (id: string, text: string): bigint =>
  isZeroTime(text) ? goZeroNanoseconds : containerTimestamp(id, text);
