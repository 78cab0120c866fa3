/** Shell patterns: `*`, `?`, `[…]`. */

/** A character of a pattern that stands for itself is marked with this in front: a private-use code point, which no script contains. */
export const literalMark = '\uE000';

/** Marks every character of `text` as standing for itself. */
export const markLiteral = (text: string): string => text.replaceAll(/[*?[\]\\^-]/g, `${literalMark}$&`);

/** Takes the marks out again. */
export const unmark = (text: string): string => text.replaceAll(literalMark, '');

/** True when a part of the pattern is more than itself. */
export const isPattern = (pattern: string): boolean => /(?<!\uE000)[*?[]/.test(pattern);

/** The pattern as a regular expression over a whole text. `lazy`: `*` takes as little as it can. */
export function patternToRegExp(pattern: string, lazy = false): RegExp {
  return new RegExp(`^${patternSource(pattern, lazy)}$`, 's');
}

/** The pattern as the source of a regular expression. */
export function patternSource(pattern: string, lazy = false): string {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === literalMark) source += pattern.charAt(++at).replace(/[\\^$.*+?()[\]{}|-]/, String.raw`\$&`);
    else if (char === '*') source += lazy ? '.*?' : '.*';
    else if (char === '?') source += '.';
    else {
      const set = char === '[' ? /^\[(!?)([^\]]+)\]/.exec(pattern.slice(at)) : null;
      if (set) {
        source += `[${set[1] ? '^' : ''}${unmark(set[2] ?? '').replaceAll('\\', '\\\\')}]`;
        at += set[0].length - 1;
      } else source += char.replace(/[\\^$.*+?()[\]{}|-]/, String.raw`\$&`);
    }
  }
  return source;
}
