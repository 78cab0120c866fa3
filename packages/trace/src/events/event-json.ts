/**
 * Serializes events as JSON. The stream, the store and files all contain this form. Values that JSON doesn't have
 * follow the JSON mapping of protocol buffers: 64-bit integers are decimal texts, and bytes are base64.
 */

/** How many bytes of a byte array are written at most. */
const maxBytes = 64 * 1024;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes.subarray(0, maxBytes)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'object' && value !== null) {
    if (value instanceof Uint8Array) return base64(value);
    if (value instanceof Error) return { name: value.name, message: value.message };
    if (value instanceof Map) return Object.fromEntries(value as Map<string, unknown>);
    if (value instanceof Set) return [...(value as Set<unknown>)];
  }
  return value;
}

/** Returns true if a value consists of strings, numbers, booleans, lists and objects without a class. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[name])) return false;
  return true;
}

/**
 * Returns a value as JSON text. The header of this file describes the form of values that JSON doesn't have. Most
 * values need no replacer, and serializing with a replacer takes several times as long.
 */
export const toJson = (value: unknown): string =>
  isPlain(value) ? JSON.stringify(value) : JSON.stringify(value, replacer);
