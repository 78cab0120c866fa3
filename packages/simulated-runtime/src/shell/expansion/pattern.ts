/** Translates shell patterns (`*`, `?`, `[…]`) into regular expressions. */

/**
 * Marks the next character of a pattern as literal. The mark is a private-use code point, which doesn't occur in
 * scripts.
 */
export const literalMark = '\uE000';

/** Marks every special character of `text` as literal. */
export const markLiteral = (text: string): string => text.replaceAll(/[*?[\]\\^-]/g, `${literalMark}$&`);

/** Removes the marks from a text. */
export const unmark = (text: string): string => text.replaceAll(literalMark, '');

/** Returns whether the pattern contains an unmarked special character. */
export const isPattern = (pattern: string): boolean => /(?<!\uE000)[*?[]/.test(pattern);

/**
 * Returns a regular expression that matches whole texts.
 * @param lazy whether `*` matches as few characters as possible
 */
export function patternToRegExp(pattern: string, lazy = false): RegExp {
  return new RegExp(`^${patternSource(pattern, lazy)}$`, 's');
}

/** Returns the source of a regular expression that matches the pattern. */
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
