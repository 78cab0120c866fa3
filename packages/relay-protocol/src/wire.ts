/**
 * Encodes and decodes the connection between relay and debugger. A frame consists of two big-endian 32-bit lengths, a
 * JSON message and the bytes of a gRPC message. The module imports no schema, so the relay runs without dependencies.
 */
import type { DebuggerMessage, RelayMessage } from './messages.ts';

export { holdableMethods, methodOfPath } from './holdable.ts';
export type { Answer, DebuggerMessage, RelayFault, RelayMessage, ReleaseReason } from './messages.ts';

/** The version of the protocol. If relay and debugger have different versions, the debugger closes the connection. */
export const protocolVersion = 1;

const headLength = 8;
/**
 * Maximum length of a frame, in bytes: more than the largest gRPC message with its JSON. A longer frame shows that the
 * other side doesn't speak this protocol.
 */
const maxLength = 64 * 1024 * 1024;
const noBytes = new Uint8Array(0);
const textEncoder = new TextEncoder();

/** A message and the bytes that belong to it. `bytes` is empty for messages without bytes. */
export interface Frame {
  readonly message: unknown;
  readonly bytes: Uint8Array;
}

/**
 * Returns the start of a frame: everything but the bytes, which the caller sends after it.
 * @param byteLength the number of bytes that follow
 */
export function encodeHead(message: RelayMessage | DebuggerMessage, byteLength = 0): Uint8Array {
  const json = textEncoder.encode(JSON.stringify(message));
  const head = new Uint8Array(headLength + json.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, byteLength);
  head.set(json, headLength);
  return head;
}

/** Splits the bytes of one direction of a connection into frames. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /**
   * Returns the frames that are complete with `chunk`.
   * @throws Error if the bytes don't follow this protocol
   */
  push(chunk: Uint8Array): Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    for (let frame = this.#take(); frame; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): Frame | undefined {
    if (this.#length < headLength) return undefined;
    const head = this.#peekHead();
    const view = new DataView(head.buffer, head.byteOffset, headLength);
    const jsonLength = view.getUint32(0);
    const byteLength = view.getUint32(4);
    const total = headLength + jsonLength + byteLength;
    if (total > maxLength) throw new Error(`a frame of ${total} bytes is not of the relay's protocol`);
    if (this.#length < total) return undefined;
    const all = this.#joined();
    const json = new TextDecoder().decode(all.subarray(headLength, headLength + jsonLength));
    const bytes = byteLength === 0 ? noBytes : all.subarray(headLength + jsonLength, total);
    this.#chunks = total < all.length ? [all.subarray(total)] : [];
    this.#length = all.length - total;
    return { message: JSON.parse(json), bytes };
  }

  /**
   * Returns the first bytes of the collected chunks, enough for the head if it has arrived. Chunks are joined only if
   * the first one is shorter than a head.
   */
  #peekHead(): Uint8Array {
    const [first = noBytes] = this.#chunks;
    return first.length >= headLength ? first : this.#joined();
  }

  #joined(): Uint8Array {
    const [first = noBytes] = this.#chunks;
    if (this.#chunks.length <= 1) return first;
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [all];
    return all;
  }
}
