/** Reads values out of attributes, which come from other versions and other programs: what is not as expected counts as absent. */
import type { Attributes } from '../event.ts';

/** A value of an attributes object, when it is an object itself. */
export const objectAt = (value: unknown, ...path: readonly string[]): Attributes | undefined => {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Attributes)[key];
  }
  return typeof current === 'object' && current !== null ? (current as Attributes) : undefined;
};

/** A non-empty text inside an attributes object. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = objectAt(value, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** A finite number inside an attributes object. */
export const numberAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = objectAt(value, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** A list of objects inside an attributes object; anything else in it is left out. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly Attributes[] => {
  const found = objectAt(value, ...path);
  return Array.isArray(found) ? found.filter((entry): entry is Attributes => typeof entry === 'object' && entry !== null) : [];
};

/** A time as CRI carries it (nanoseconds; bigint in process, number or digits after JSON) in milliseconds. Zero means unset there. */
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

/** An RFC 3339 time in milliseconds. */
export function timeAt(value: unknown, ...path: readonly string[]): number | undefined {
  const ms = Date.parse(textAt(value, ...path) ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
