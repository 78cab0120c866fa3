/**
 * Reads values from attributes, which may have been written by other versions and programs. A value of an unexpected
 * type counts as absent.
 */
import type { Attributes } from '../events/event.ts';

/** Returns the object at a path; undefined if there isn't one. */
export const objectAt = (value: unknown, ...path: readonly string[]): Attributes | undefined => {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Attributes)[key];
  }
  return typeof current === 'object' && current !== null ? (current as Attributes) : undefined;
};

/** Returns the non-empty text at a path; undefined if there isn't one. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = objectAt(value, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** Returns the finite number at a path; undefined if there isn't one. */
export const numberAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = objectAt(value, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** Returns the objects in the list at a path, or an empty list. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly Attributes[] => {
  const found = objectAt(value, ...path);
  return Array.isArray(found)
    ? found.filter((entry): entry is Attributes => typeof entry === 'object' && entry !== null)
    : [];
};

/**
 * Returns a CRI time in milliseconds; undefined for zero, which means unset. A CRI time is in nanoseconds: a bigint in
 * the process, a number or a text with digits after JSON.
 */
export function criTimeAt(value: unknown, key: string): number | undefined {
  const found = objectAt(value)?.[key];
  const ms =
    typeof found === 'bigint'
      ? Number(found / 1000n) / 1000
      : typeof found === 'number' || (typeof found === 'string' && /^\d+$/.test(found))
        ? Number(found) / 1e6
        : 0;
  return ms > 0 ? ms : undefined;
}

/** Returns the RFC 3339 time at a path in milliseconds; undefined if there isn't one. */
export function timeAt(value: unknown, ...path: readonly string[]): number | undefined {
  const ms = Date.parse(textAt(value, ...path) ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
