/** Equality of API objects: what Go's API machinery calls semantically equal. */

/**
 * Deep equality in which an absent field, an empty list and an empty map are the same.
 * Upstream: equality.Semantic.DeepEqual (apimachinery, v1.36).
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (isEmpty(a) && isEmpty(b))) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => semanticEqual(item, b[index]));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => semanticEqual(left[key], right[key]));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A field that differs. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The smallest fields in which two values differ, by path below `path`. */
export function differences(before: unknown, after: unknown, path: string): Difference[] {
  if (semanticEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`));
  }
  if (!isPlainObject(before) || !isPlainObject(after)) return [{ path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differences(before[key], after[key], `${path}.${key}`));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Differences as text: a line for what was and a line for what would be. */
export function formatDifferences(found: readonly Difference[]): string {
  return found.map(({ path, before, after }) => `- ${path}: ${text(before)}\n+ ${path}: ${text(after)}`).join('\n');
}

function text(value: unknown): string {
  return value === undefined ? '(not set)' : JSON.stringify(value);
}
