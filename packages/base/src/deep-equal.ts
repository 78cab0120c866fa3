/** Compares JSON values. */

const isUndefined = (value: unknown): boolean => value === undefined;

/**
 * True when two JSON values are equal. The order of an object's members doesn't matter, and a member that `isAbsent`
 * accepts counts as missing: by default only `undefined`. Callers that compare API objects pass an `isAbsent` that also
 * accepts empty values.
 */
export function deepEqual(a: unknown, b: unknown, isAbsent: (value: unknown) => boolean = isUndefined): boolean {
  if (Object.is(a, b)) return true;
  if (isAbsent(a) && isAbsent(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => deepEqual(item, b[index], isAbsent))
    );
  }
  const left: Readonly<Record<string, unknown>> = { ...a };
  const right: Readonly<Record<string, unknown>> = { ...b };
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    deepEqual(left[key], right[key], isAbsent),
  );
}
