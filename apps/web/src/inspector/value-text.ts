/** Values as short text. */

/** Rows cap their text; the whole of it is a click away. */
export const longestText = 240;

export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The members of an object or array, in order. Members that are undefined are left out. */
export const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  (Array.isArray(value) ? value.map((entry: unknown, index) => [String(index), entry] as const) : Object.entries(value)).filter(
    ([, entry]) => entry !== undefined,
  );

/** What stands beside a folded member: `{3}`, `[2]`. */
export function previewOf(value: object): string {
  const entries = entriesOf(value);
  if (Array.isArray(value)) return entries.length === 0 ? '[]' : `[${entries.length}]`;
  if (entries.length === 0) return '{}';
  // One of a list is known by its name, not by what all of them have.
  const name = entries.find(([key, member]) => (key === 'name' || key === 'key') && typeof member === 'string' && member.length <= 60);
  if (name) return `{ ${name[0]}: ${String(name[1])}${entries.length > 1 ? ', …' : ''} }`;
  const keys = entries.slice(0, 3).map(([key]) => key);
  return `{ ${keys.join(', ')}${entries.length > 3 ? ', …' : ''} }`;
}

/** How a scalar is written: texts in quotes only where they would be taken for something else. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

/** Everything, for the clipboard. */
export const fullText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));

/** Ids of containers and digests of images as people know them: twelve digits. Other texts stay as they are. */
export const shortId = (text: string): string => text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1');
