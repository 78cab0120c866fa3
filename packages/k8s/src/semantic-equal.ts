/** Compares API objects. Upstream: equality.Semantic (apimachinery). */
import { deepEqual, isRecord } from '@podscope/base';

/**
 * Returns true if two API values are equal. A missing field, null, an empty list and an empty map are equal. Upstream:
 * equality.Semantic.DeepEqual (apimachinery, v1.36).
 */
export const semanticEqual = (a: unknown, b: unknown): boolean => deepEqual(a, b, isEmpty);

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A field whose values differ. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the innermost fields in which two values differ. Their paths begin with `path`. */
export function differences(before: unknown, after: unknown, path: string): Difference[] {
  if (semanticEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`));
  }
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differences(before[key], after[key], `${path}.${key}`));
}

/** Formats differences. Each has a line with the old value and a line with the new one. */
export function formatDifferences(found: readonly Difference[]): string {
  return found.map(({ path, before, after }) => `- ${path}: ${text(before)}\n+ ${path}: ${text(after)}`).join('\n');
}

function text(value: unknown): string {
  return value === undefined ? '(not set)' : JSON.stringify(value);
}
