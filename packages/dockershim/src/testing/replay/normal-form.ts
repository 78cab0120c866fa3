/** The form in which the recordings tell arguments: what is zero is left out, and what only our shim adds is taken away. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Marks of ours, which the recorded shim did not have. */
const isOurLabel = (key: string): boolean => key.startsWith('io.podscope.');

/** Empty members say something here. */
const keepsEmpty: ReadonlySet<string> = new Set(['ExposedPorts']);

const isZero = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

/** Leaves out what is zero, to any depth. */
export function withoutZeros(value: unknown, keepEmpty = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutZeros(item));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const clean = withoutZeros(inner, keepsEmpty.has(key));
    return isZero(clean) && !keepEmpty ? [] : [[key, clean]];
  });
  return Object.fromEntries(kept);
}

/** Labels without ours. */
export const recordedLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !isOurLabel(key)));
