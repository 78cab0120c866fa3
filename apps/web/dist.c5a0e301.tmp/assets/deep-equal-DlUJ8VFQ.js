var e=`/** Equality of JSON values. */

const isAbsent = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** True when two JSON values are the same. A null or an empty list counts as absent, an empty object does not; members may stand in any order. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  const left: Readonly<Record<string, unknown>> = { ...a };
  const right: Readonly<Record<string, unknown>> = { ...b };
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => deepEqual(left[key], right[key]));
}
`;export{e as default};
//# sourceMappingURL=deep-equal-DlUJ8VFQ.js.map