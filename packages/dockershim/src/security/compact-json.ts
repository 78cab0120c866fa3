/**
 * Removes white space from JSON texts like Go's json.Compact. The order of keys, duplicate keys and the formats of
 * numbers don't change.
 */

const stringOrSpace = /"(?:[^"\\]|\\.)*"|\s+/g;

/** Returns the text without white space outside of texts in quotes. The input must be valid JSON. */
export const compactJson = (text: string): string =>
  text.replace(stringOrSpace, (match) => (match.startsWith('"') ? match : ''));
