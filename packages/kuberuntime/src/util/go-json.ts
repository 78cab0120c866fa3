/**
 * Formats JSON as Go's encoding/json does, so that hashes of the text match. Go escapes `<`, `>`, `&` and line
 * separators.
 */

const special = /[<>&\u2028\u2029]|\\[bf]|\\\\/g;

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Formats a value as Go's json.Marshal does. Fields keep their order. */
export function goJSON(value: unknown): string {
  return JSON.stringify(value).replace(special, (found) => {
    if (found === '\\\\') return found;
    if (found === '\\b') return '\\u0008';
    if (found === '\\f') return '\\u000c';
    return unicodeEscape(found);
  });
}
