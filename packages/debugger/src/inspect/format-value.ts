/** Formats values for a list of variables: one line of text, a type and members. */
import { plainMembers } from '../expression/cel-view.ts';
import type { DebugHost, StringPlace } from '../host.ts';

/** Maximum length of a value in a list, in characters. */
const maxValueText = 1_000;
/** Maximum length of a value that is requested alone, in characters. */
export const maxEvaluatedText = 64 * 1024;
/** Maximum length of a value's text before it is shortened, in characters. */
const maxFullText = 256 * 1024;

const decoder = new TextDecoder();

/** A member of a value. */
export interface Member {
  readonly name: string;
  readonly value: unknown;
}

/** Returns true for an object that isn't null. Unlike `isRecord`, accepts lists. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns true if the value has members to expand. */
export const isExpandable = (value: unknown): value is object =>
  isObject(value) && !(value instanceof Uint8Array) && memberCount(value).total > 0;

/** Returns the number of members and whether they are the elements of a list. */
export function memberCount(value: object): { readonly total: number; readonly indexed: boolean } {
  if (Array.isArray(value)) return { total: value.length, indexed: true };
  if (value instanceof Set) return { total: value.size, indexed: true };
  return { total: Object.values(plainMembers(value)).filter((member) => member !== undefined).length, indexed: false };
}

/** Returns a page of members. */
export function membersOf(value: object, start = 0, count = Number.POSITIVE_INFINITY): readonly Member[] {
  if (Array.isArray(value) || value instanceof Set) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [...(value as ReadonlySet<unknown>)];
    return list.slice(start, start + count).map((item, index) => ({ name: String(start + index), value: item }));
  }
  return Object.entries(plainMembers(value))
    .filter(([, member]) => member !== undefined)
    .slice(start, start + count)
    .map(([name, member]) => ({ name, value: member }));
}

/** Returns `string`, `int`, `list`, `map` or the name of a class. */
export function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'double';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value !== 'object') return typeof value;
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value) || value instanceof Set) return 'list';
  if (value instanceof Error) return value.name;
  return 'map';
}

/** Replaces the secrets in a string. */
export type Mask = DebugHost['mask'];

/** Formats a value as one line of any length, with strings quoted and masked. */
function fullText(value: unknown, depth: number, mask: Mask, place?: StringPlace): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string')
    return JSON.stringify(mask(value.length > maxFullText ? `${value.slice(0, maxFullText)}…` : value, place));
  if (value instanceof Uint8Array) return JSON.stringify(mask(decoder.decode(value.subarray(0, maxFullText)), place));
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return typeof value;
  if (value instanceof Error) return mask(`${value.name}: ${value.message}`);
  const { total, indexed } = memberCount(value);
  if (total === 0) return indexed ? '[]' : '{}';
  if (depth === 0) return indexed ? `[… ${total}]` : '{…}';
  // Show only the first members, which usually identify the value. Expanding the value shows the rest.
  const shown = membersOf(value, 0, 6).map(({ name, value: member }) => {
    const text = fullText(member, depth - 1, mask, { name, holder: value, within: place?.name });
    return indexed ? text : `${name}: ${text}`;
  });
  if (total > shown.length) shown.push('…');
  return indexed ? `[${shown.join(', ')}]` : `{${shown.join(', ')}}`;
}

/**
 * Formats a value as one line. Masks secrets before truncating, so no part of a secret remains.
 * @param place where the value was found, if known
 */
export function formatValue(value: unknown, mask: Mask, limit = maxValueText, place?: StringPlace): string {
  const text = fullText(value, 2, mask, place);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
