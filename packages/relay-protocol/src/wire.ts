/**
 * Encodes and decodes the connection between relay and debugger. A frame is two big-endian 32-bit lengths, a JSON
 * message and its bytes. Imports no schema, so that the relay runs without dependencies.
 */
import type { DebuggerMessage, RelayMessage } from './messages.ts';

export { holdableMethods, methodOfPath } from './holdable.ts';
export type { Answer, DebuggerMessage, RelayFault, RelayMessage, ReleaseReason } from './messages.ts';

/** The version of the protocol. Sides with different versions don't talk: the debugger closes the connection. */
export const protocolVersion = 1;

const headLength = 8;
/** Larger frames than the largest gRPC message plus its JSON are not of this protocol. */
const maxLength = 64 * 1024 * 1024;
const noBytes = new Uint8Array(0);

/** A message and the bytes that belong to it; empty for messages without bytes. */
export interface Frame {
  readonly message: unknown;
  readonly bytes: Uint8Array;
}

/**
 * Returns the start of a frame: everything but the message's bytes, which the caller sends behind it unchanged.
 * @param byteLength the number of bytes that follow
 */
export function encodeHead(message: RelayMessage | DebuggerMessage, byteLength = 0): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(message));
  const head = new Uint8Array(headLength + json.length);
  const view = new DataView(head.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, byteLength);
  head.set(json, headLength);
  return head;
}

/** Collects the frames of one direction of a connection. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /**
   * Returns the frames that `chunk` completes.
   * @throws Error if the bytes are not of this protocol
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

  /** Returns the first bytes, joined only if the first chunk is shorter than a head. */
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
