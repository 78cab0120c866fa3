/** Reads and writes the header fields of gRPC calls. */
import type { Fields } from '../http2/hpack.ts';

const unknownStatus = 2;
/** gRPC's code DEADLINE_EXCEEDED. */
export const deadlineExceeded = 4;
/** gRPC's code UNAVAILABLE. */
export const unavailable = 14;

/** The header fields of a response, which precede its messages or its status. */
export const responseFields: Fields = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
];

/** Returns the header fields of a gRPC status. */
export const statusFields = (code: number, message: string): Fields => [
  ['grpc-status', String(code)],
  ['grpc-message', percentEncoded(message)],
];

/** Returns the first value of a header field. */
export function valueOf(fields: Fields, name: string): string | undefined {
  for (const [each, value] of fields) if (each === name) return value;
  return undefined;
}

/** Returns the header fields without pseudo-header fields such as `:path`. */
export const metadataOf = (fields: Fields): [string, string][] =>
  fields.filter(([name]) => !name.startsWith(':')).map(([name, value]) => [name, value]);

/** Returns the value of `grpc-status`. Returns 2 (Unknown) if it is missing or not a number, as gRPC clients do. */
export function grpcStatus(fields: Fields): number {
  const text = valueOf(fields, 'grpc-status');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : unknownStatus;
}

/** Returns the decoded `grpc-message`. */
export function grpcMessage(fields: Fields): string {
  const text = valueOf(fields, 'grpc-message') ?? '';
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Encodes text for `grpc-message`: printable ASCII characters except `%` are kept, and all other bytes become `%XX`.
 */
function percentEncoded(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
