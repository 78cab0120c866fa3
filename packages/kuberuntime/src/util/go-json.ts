/** JSON as Go's encoding/json writes it: `<`, `>`, `&` and the line separators escaped, so that hashes over it agree. */

const special = /[<>&\u2028\u2029]|\\[bf]|\\\\/g;

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value as Go's json.Marshal prints it, fields in the order they have. */
export function goJSON(value: unknown): string {
  return JSON.stringify(value).replace(special, (found) => {
    if (found === '\\\\') return found;
    if (found === '\\b') return '\\u0008';
    if (found === '\\f') return '\\u000c';
    return unicodeEscape(found);
  });
}
