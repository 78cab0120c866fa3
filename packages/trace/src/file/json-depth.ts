/** Looks at JSON text before it is parsed. */

const quote = 0x22;
const backslash = 0x5c;
const openers: readonly number[] = [0x5b, 0x7b];
const closers: readonly number[] = [0x5d, 0x7d];

/** Whether arrays and objects lie in each other deeper than `limit`. The text need not be valid. */
export function isDeeperThan(text: string, limit: number): boolean {
  // Each level takes an opening character: a short text needs no look.
  if (text.length <= limit) return false;
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
