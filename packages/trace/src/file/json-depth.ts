/** Looks at JSON text before it is parsed. */

const quote = 0x22;
const backslash = 0x5c;
const openers: readonly number[] = [0x5b, 0x7b];
const closers: readonly number[] = [0x5d, 0x7d];

/** Whether a text has more opening characters than `limit`, wherever they stand. */
function opensMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const opener of '[{') {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) if (++count > limit) return true;
  }
  return false;
}

/** Whether arrays and objects lie in each other deeper than `limit`. The text need not be valid. */
export function isDeeperThan(text: string, limit: number): boolean {
  // Each level takes an opening character. Looking for those is many times faster than reading the text, and for most texts enough.
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
