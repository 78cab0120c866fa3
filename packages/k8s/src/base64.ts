/** Base64 as Kubernetes' JSON carries bytes, without Node's Buffer. */

const CHUNK = 0x80_00;
const encoder = new TextEncoder();

/** A text (as UTF-8) or bytes in standard base64 with padding. */
export function encodeBase64(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  let binary = '';
  // In pieces, as a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += CHUNK) binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

/** The bytes, or undefined if the text is not base64. Line breaks are allowed, as in Go. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return Uint8Array.from(atob(compact), (char) => char.charCodeAt(0));
}
