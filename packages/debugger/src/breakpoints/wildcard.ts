/**
 * Matches patterns with `*` (any characters) and `?` (one character). Only the last `*` backtracks, so no pattern is
 * slow.
 */

/** Returns true if the whole text matches the pattern. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let afterStar = 0;
  while (at < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      star = inPattern++;
      afterStar = at;
    } else if (wanted === '?' || wanted === text[at]) {
      inPattern++;
      at++;
    } else if (star >= 0) {
      // After a mismatch, let the last star match one more character.
      inPattern = star + 1;
      at = ++afterStar;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** Returns true if the pattern matches only itself. */
export const isLiteral = (pattern: string): boolean => !/[*?]/.test(pattern);
