/** Implements FNV-1a, the hash of containers and back-off keys. */

const offset32 = 0x811c9dc5;
const prime32 = 0x01000193;
const offset64 = 0xcbf29ce484222325n;
const prime64 = 0x100000001b3n;
const mask64 = 0xffffffffffffffffn;

const encoder = new TextEncoder();
const zero = 48;
const space = 32;

const step = (hash: number, byte: number): number => Math.imul(hash ^ byte, prime32);

/**
 * Returns the 32-bit FNV-1a hash of a JSON text. As upstream, the hash is computed from the text's bytes in Go's print
 * format, decimal and separated by spaces: `([]uint8)[123 34 110]`. Upstream: hashutil.DeepHashObject.
 */
export function hashOfPrintedBytes(text: string): number {
  let hash = offset32;
  for (const byte of encoder.encode('([]uint8)[')) hash = step(hash, byte);
  let first = true;
  for (const byte of encoder.encode(text)) {
    if (!first) hash = step(hash, space);
    first = false;
    if (byte >= 100) hash = step(hash, zero + Math.floor(byte / 100));
    if (byte >= 10) hash = step(hash, zero + (Math.floor(byte / 10) % 10));
    hash = step(hash, zero + (byte % 10));
  }
  return step(hash, 93) >>> 0;
}

/** Returns the 64-bit FNV-1a hash of a text as hexadecimal digits without padding. */
export function fnv64Hex(text: string): string {
  let hash = offset64;
  for (const byte of encoder.encode(text)) hash = ((hash ^ BigInt(byte)) * prime64) & mask64;
  return hash.toString(16);
}
