/** Patterns with `*` (any characters) and `?` (one character), matched in time linear in the text for each `*`, whoever wrote them. */

/** True when the whole text fits the pattern. */
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
      // The last star takes one character more.
      inPattern = star + 1;
      at = ++afterStar;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** True when a pattern can only ever fit itself. */
export const isLiteral = (pattern: string): boolean => !/[*?]/.test(pattern);
