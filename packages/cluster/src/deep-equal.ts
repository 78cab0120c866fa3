/** Equality of JSON values. */

/** True when two JSON values are the same; a member that is undefined counts as absent, the order of members does not matter. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  const left = definedEntries(a);
  const right = new Map(definedEntries(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && deepEqual(value, right.get(key)));
}

const definedEntries = (object: object): [string, unknown][] => Object.entries(object).filter(([, value]) => value !== undefined);
