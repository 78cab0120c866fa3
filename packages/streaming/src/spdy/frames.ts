/** Encodes and parses SPDY/3.1 frames: an 8-byte header and the payload. */

/** The control frame types in use. */
export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** The flag that closes a direction of a stream. */
export const flagFin = 1;

/** The RST_STREAM status codes in use. */
export const resetStatus = { protocolError: 1, refused: 3, cancel: 5 } as const;

const headLength = 8;
const version = 3;

/** A parsed frame. */
export type SpdyFrame =
  | { readonly kind: 'data'; readonly streamId: number; readonly flags: number; readonly payload: Buffer }
  | { readonly kind: 'control'; readonly type: number; readonly flags: number; readonly payload: Buffer };

/** Returns a data frame of a stream. */
export function dataFrame(streamId: number, payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt32BE(((flags << 24) | payload.length) >>> 0, 4);
  return Buffer.concat([head, payload]);
}

/** Returns a control frame whose payload is 32-bit numbers, followed by `rest`. */
export function controlFrame(
  type: number,
  numbers: readonly number[],
  rest: Uint8Array = new Uint8Array(),
  flags = 0,
): Buffer {
  const length = numbers.length * 4 + rest.length;
  const frame = Buffer.alloc(headLength + numbers.length * 4);
  frame.writeUInt16BE(0x8000 | version, 0);
  frame.writeUInt16BE(type, 2);
  frame.writeUInt32BE(((flags << 24) | length) >>> 0, 4);
  numbers.forEach((number, index) => frame.writeUInt32BE(number >>> 0, headLength + index * 4));
  return Buffer.concat([frame, rest]);
}

function parseHead(head: Buffer): { length: number; build: (payload: Buffer) => SpdyFrame } {
  const first = head.readUInt32BE(0);
  const flags = head.readUInt8(4);
  const length = head.readUIntBE(5, 3);
  if (first < 0x80000000) return { length, build: (payload) => ({ kind: 'data', streamId: first, flags, payload }) };
  const spoken = (first >>> 16) & 0x7fff;
  if (spoken !== version) throw new Error(`SPDY version ${spoken} in a frame: only ${version} is supported`);
  return { length, build: (payload) => ({ kind: 'control', type: first & 0xffff, flags, payload }) };
}

/** Parses a connection's bytes into frames. @throws Error for another version */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<SpdyFrame> {
  let buffered = Buffer.alloc(0);
  let wanted = headLength;
  let chunks: Uint8Array[] = [];
  let gathered = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    gathered += chunk.length;
    // Chunks are joined only when a frame is complete, so a large frame is copied once.
    if (buffered.length + gathered < wanted) continue;
    buffered = Buffer.concat([buffered, ...chunks]);
    chunks = [];
    gathered = 0;
    for (;;) {
      wanted = headLength;
      if (buffered.length < wanted) break;
      const { length, build } = parseHead(buffered.subarray(0, headLength));
      wanted += length;
      if (buffered.length < wanted) break;
      yield build(buffered.subarray(headLength, wanted));
      buffered = buffered.subarray(wanted);
    }
  }
}
