/** Converts Docker's timestamps as v1.20 did. */
import { containerTimestamp } from '../timestamps.ts';

const zeroTime = '0001-01-01T00:00:00Z';
/** Go's zero time in nanoseconds overflows to this value. */
const goZeroNanoseconds = -6_795_364_578_871_345_152n;

export const isZeroTime = (text: string): boolean => text === zeroTime;

/** Returns nanoseconds since the Unix epoch; Go's zero time overflows. @throws CriError for an invalid text */
export const goNanoseconds = (id: string, text: string): bigint =>
  isZeroTime(text) ? goZeroNanoseconds : containerTimestamp(id, text);
