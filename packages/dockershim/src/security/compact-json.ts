/** Compacts JSON texts as Go's json.Compact: key order, duplicate keys and number formats stay. */

const stringOrSpace = /"(?:[^"\\]|\\.)*"|\s+/g;

/** Returns the text without white space outside of strings. The text must be valid JSON. */
export const compactJson = (text: string): string =>
  text.replace(stringOrSpace, (match) => (match.startsWith('"') ? match : ''));
