/**
 * Formats JSON like Go's encoding/json, which escapes `<`, `>`, `&` and line separators, so that hashes of the text
 * match.
 */

const special = /[<>&\u2028\u2029]|\\[bf]|\\\\/g;

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns the JSON text of a value like Go's json.Marshal; keeps the order of fields. */
export function goJSON(value: unknown): string {
  return JSON.stringify(value).replace(special, (found) => {
    if (found === '\\\\') return found;
    if (found === '\\b') return '\\u0008';
    if (found === '\\f') return '\\u000c';
    return unicodeEscape(found);
  });
}
