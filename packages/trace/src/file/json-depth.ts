/** Checks the nesting depth of JSON text before it is parsed. */

const quote = 0x22;
const backslash = 0x5c;
const openers: readonly number[] = [0x5b, 0x7b];
const closers: readonly number[] = [0x5d, 0x7d];

/**
 * Returns true if a text has more than `limit` opening brackets and braces. Brackets and braces in quoted texts count,
 * too.
 */
function opensMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const opener of '[{') {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++count > limit) return true;
  }
  return false;
}

/** Returns true if arrays and objects are nested more deeply than `limit`. The text need not be valid JSON. */
export function isDeeperThan(text: string, limit: number): boolean {
  // Each level needs an opening character. Counting these characters is many times faster than scanning the text, and
  // decides for most texts.
  if (text.length <= limit || !opensMoreThan(text, limit)) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (openers.includes(code)) {
      if (++depth > limit) return true;
    } else if (closers.includes(code)) depth--;
  }
  return false;
}
