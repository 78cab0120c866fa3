/** Reads and writes the frames of HTTP/2 (RFC 9113, section 4). */

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const errorCodes = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
} as const;

export const settings = {
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const headLength = 9;
/** The maximum length of a frame that the relay accepts, in bytes. It is the default of HTTP/2. */
export const maxFrameLength = 16_384;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Thrown when a peer violates HTTP/2. Contains the error code for GOAWAY. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(message: string, code: number = errorCodes.protocolError) {
    super(message);
    this.code = code;
  }
}

/** Returns a frame's first nine bytes. */
export function frameHead(length: number, type: number, frameFlags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(headLength);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = frameFlags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** Returns a whole frame. */
export const frameOf = (type: number, frameFlags: number, stream: number, payload: Buffer): Buffer =>
  Buffer.concat([frameHead(payload.length, type, frameFlags, stream), payload]);

/** Returns a WINDOW_UPDATE frame. */
export function windowUpdate(stream: number, increment: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(increment);
  return frameOf(frameTypes.windowUpdate, 0, stream, payload);
}

/** Returns a RST_STREAM frame. */
export function resetFrame(stream: number, code: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(code);
  return frameOf(frameTypes.reset, 0, stream, payload);
}

/** Returns a SETTINGS frame. */
export function settingsFrame(values: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(values.length * 6);
  for (const [index, [id, value]] of values.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frameOf(frameTypes.settings, 0, 0, payload);
}

/** Splits the bytes of one direction of a connection into frames. */
export class FrameReader {
  #rest: Buffer | undefined;
  #chunks: Buffer[] = [];
  #missing = 0;
  #needsPreface: boolean;

  /** @param fromClient true if the bytes begin with the connection preface */
  constructor(fromClient: boolean) {
    this.#needsPreface = fromClient;
  }

  /**
   * Yields the frames that `chunk` completes. Their payloads may be views of the chunk.
   * @throws ProtocolError if the bytes are not HTTP/2
   */
  *push(chunk: Buffer): Generator<Frame> {
    let bytes = this.#joined(chunk);
    if (!bytes) return;
    let at = 0;
    if (this.#needsPreface) {
      if (bytes.length < preface.length) {
        this.#keep(bytes, preface.length);
        return;
      }
      if (!bytes.subarray(0, preface.length).equals(preface)) throw new ProtocolError('the client speaks no HTTP/2');
      this.#needsPreface = false;
      at = preface.length;
    }
    bytes = bytes.subarray(at);
    at = 0;
    while (bytes.length - at >= headLength) {
      const length = bytes.readUIntBE(at, 3);
      if (length > maxFrameLength) throw new ProtocolError('a frame is too large', 6);
      const end = at + headLength + length;
      if (end > bytes.length) {
        this.#keep(bytes.subarray(at), headLength + length);
        return;
      }
      yield {
        type: bytes[at + 3] ?? 0,
        flags: bytes[at + 4] ?? 0,
        stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
        payload: bytes.subarray(at + headLength, end),
      };
      at = end;
    }
    if (at < bytes.length) this.#keep(bytes.subarray(at), headLength);
  }

  /**
   * Stores the bytes of an incomplete frame.
   * @param length the minimum number of bytes that the frame needs
   */
  #keep(bytes: Buffer, length: number): void {
    this.#rest = bytes;
    this.#missing = Math.max(1, length - bytes.length);
  }

  /** Returns the stored bytes and `chunk`; undefined while the frame is incomplete. */
  #joined(chunk: Buffer): Buffer | undefined {
    if (!this.#rest) return chunk;
    this.#chunks.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return undefined;
    const joined = Buffer.concat([this.#rest, ...this.#chunks]);
    this.#rest = undefined;
    this.#chunks = [];
    return joined;
  }
}
