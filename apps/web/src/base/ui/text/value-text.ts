/** Formats values as short text. */

/** Maximum length of a text in a row, in characters. Longer texts are truncated. */
export const longestText = 240;

export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the members of an object or array in order, without undefined ones. */
export const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  (Array.isArray(value)
    ? value.map((entry: unknown, index) => [String(index), entry] as const)
    : Object.entries(value)
  ).filter(([, entry]) => entry !== undefined);

/** Formats a collapsed list as `[2]`, with its length, and a collapsed object with its name or its first keys. */
export function previewOf(value: object): string {
  const entries = entriesOf(value);
  if (Array.isArray(value)) return entries.length === 0 ? '[]' : `[${entries.length}]`;
  if (entries.length === 0) return '{}';
  // Show the name of a list item, which identifies it.
  const name = entries.find(
    ([key, member]) => (key === 'name' || key === 'key') && typeof member === 'string' && member.length <= 60,
  );
  if (name) return `{ ${name[0]}: ${String(name[1])}${entries.length > 1 ? ', …' : ''} }`;
  const keys = entries.slice(0, 3).map(([key]) => key);
  return `{ ${keys.join(', ')}${entries.length > 3 ? ', …' : ''} }`;
}

/** Formats a scalar. Strings aren't quoted, except the empty string. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

/** Returns the full text, for the clipboard. */
export const fullText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');

/** Shortens container ids and image digests to twelve digits; other texts stay unchanged. */
export const shortId = (text: string): string => text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1');
