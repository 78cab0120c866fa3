/** Docker's times as v1.20 carried them. */
import { containerTimestamp } from '../timestamps.ts';

const zeroTime = '0001-01-01T00:00:00Z';
/** Go's zero time in nanoseconds, which do not reach so far back. */
const goZeroNanoseconds = -6_795_364_578_871_345_152n;

export const isZeroTime = (text: string): boolean => text === zeroTime;

/** Nanoseconds since the Unix epoch; Go's zero time overflows. @throws CriError for a text that is no time */
export const goNanoseconds = (id: string, text: string): bigint => (isZeroTime(text) ? goZeroNanoseconds : containerTimestamp(id, text));
