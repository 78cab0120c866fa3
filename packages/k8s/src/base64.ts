/** Encodes and decodes Base64, as used for bytes in Kubernetes JSON, without Node's Buffer. */

const CHUNK = 0x80_00;
const encoder = new TextEncoder();

/** Returns bytes, or a text as UTF-8, in standard Base64 with padding. */
export function encodeBase64(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  let binary = '';
  // String.fromCharCode accepts only a limited number of arguments, so the bytes are converted in chunks.
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

/** Returns the bytes; undefined for invalid Base64. Line breaks are ignored, as in Go. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return Uint8Array.from(atob(compact), (char) => char.charCodeAt(0));
}
