/** Generates seeded random numbers: the same seed yields the same numbers on every JavaScript engine. */

/** A stream of pseudo-random numbers. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A number in [low, high). */
  between(low: number, high: number): number;
  /** A text of `length` lower-case hexadecimal digits. */
  hex(length: number): string;
  /** An independent stream, named by `label`. Numbers drawn from the new stream don't advance this stream. */
  fork(label: string): Random;
}

/**
 * Returns a 32-bit hash (FNV-1a). A final mixing step lets every bit of the result depend on every character, even for
 * short texts.
 */
function hash32(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Returns `length` hexadecimal digits that depend on `text` only, for ids that look like digests. Not cryptographic.
 */
export function hexDigest(text: string, length = 64): string {
  let digest = '';
  for (let part = 0; digest.length < length; part++)
    digest += hash32(text, part * 0x9e3779b9)
      .toString(16)
      .padStart(8, '0');
  return digest.slice(0, length);
}

/** Returns a generator for `seed` (mulberry32, with 32 bits of state; good enough for a simulator, not for secrets). */
export function createRandom(seed: number | string): Random {
  const origin = typeof seed === 'number' ? seed >>> 0 : hash32(seed);
  let state = origin;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    hex: (length) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(''),
    fork: (label) => createRandom(hash32(label, origin)),
  };
}
