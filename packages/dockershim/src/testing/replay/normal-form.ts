/**
 * Converts arguments to the form in the recordings, which have no zero values and no additions of this implementation.
 */

import { isRecord } from '@podscope/base';

/** Returns true for a label that only this implementation sets. */
const isOurLabel = (key: string): boolean => key.startsWith('io.podscope.');

/** The fields in which an empty value has a meaning. */
const keepsEmpty: ReadonlySet<string> = new Set(['ExposedPorts']);

const isZero = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

/** Returns the value without zero values, at any depth. */
export function withoutZeros(value: unknown, keepEmpty = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutZeros(item));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const clean = withoutZeros(inner, keepsEmpty.has(key));
    return isZero(clean) && !keepEmpty ? [] : [[key, clean]];
  });
  return Object.fromEntries(kept);
}

/** Returns the labels without those that only this implementation sets. */
export const recordedLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !isOurLabel(key)));
