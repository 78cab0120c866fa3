/**
 * Rewrites the `:authority` header of old clients. gRPC clients in Go at the time of `runtime.v1alpha2` (kubelet and
 * crictl up to 1.22) send the path of the socket as `:authority`, which Node's HTTP/2 rejects. The rewriter replaces
 * each slash in the header with a hyphen while the bytes pass through. The HPACK codes of both characters have the same
 * length, so neither lengths nor header tables change.
 */
import { HeaderBlockError, HeaderBlockReader } from './hpack/block-reader.ts';
import { visitHuffman } from './hpack/huffman.ts';

/** The connection preface of HTTP/2. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frameHeadLength = 9;
const headersType = 1;
const flags = { endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
/** The default maximum frame size. */
const maxFrameLength = 16_384;

/** Index of `:authority` in HPACK's static table. */
const authorityIndex = 1;

const slash = 0x2f;
const hyphen = 0x2d;
const hyphenCode = 0b010110;
function writeBits(bytes: Buffer, position: number, count: number, value: number): void {
  for (let index = 0; index < count; index += 1) {
    const bit = position + index;
    const mask = 0x80 >> (bit & 7);
    const byte = bytes[bit >> 3] ?? 0;
    bytes[bit >> 3] = (value >> (count - 1 - index)) & 1 ? byte | mask : byte & ~mask;
  }
}

function rewriteHuffman(bytes: Buffer): void {
  visitHuffman(bytes, (byte, position, length) => {
    if (byte === slash) writeBits(bytes, position, length, hyphenCode);
  });
}

function rewritePlain(bytes: Buffer): void {
  for (let at = bytes.indexOf(slash); at >= 0; at = bytes.indexOf(slash, at)) bytes[at] = hyphen;
}

/** Rewrites `:authority` in the next field (RFC 7541, section 6). */
function rewriteField(block: HeaderBlockReader): void {
  const { kind } = block;
  if (kind & 0x80) block.integer(7);
  else if (!(kind & 0x40) && kind & 0x20) block.integer(5);
  else {
    const name = block.integer(kind & 0x40 ? 6 : 4);
    if (name === 0) block.string();
    const { bytes, isHuffman } = block.string();
    if (name !== authorityIndex) return;
    if (isHuffman) rewriteHuffman(bytes);
    else rewritePlain(bytes);
  }
}

/** Rewrites every literal `:authority` up to the first invalid field; the HTTP/2 server rejects an invalid block. */
function rewriteBlock(bytes: Buffer): void {
  const block = new HeaderBlockReader(bytes);
  try {
    while (!block.isAtEnd) rewriteField(block);
  } catch (error) {
    if (!(error instanceof HeaderBlockError)) throw error;
  }
}

/**
 * Rewrites the header block of a frame.
 * @param frame a complete HEADERS frame, changed in place
 */
function rewriteFrame(frame: Buffer): void {
  const given = frame[4] ?? 0;
  let start = frameHeadLength;
  let end = frame.length;
  if (given & flags.padded) {
    end -= frame[start] ?? 0;
    start += 1;
  }
  if (given & flags.priority) start += 5;
  if (start < end) rewriteBlock(frame.subarray(start, end));
}

/** Rewrites the bytes of one connection. */
export class AuthorityRewriter {
  /** The beginning of a preface or frame that isn't complete yet. */
  #held = Buffer.alloc(0);
  /** How many bytes of the current frame still have to be passed on unchanged. */
  #toPass = 0;
  #stage: 'preface' | 'frames' | 'somethingElse' = 'preface';

  /**
   * Processes a chunk of the client's bytes.
   * @returns the pieces to pass on, with rewritten authorities
   */
  push(chunk: Buffer): Buffer[] {
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    const pieces: Buffer[] = [];
    while (rest.length > 0) {
      const length = this.#stage === 'frames' ? this.#take(rest) : this.#takeStart(rest);
      if (length === 0) {
        // The caller may reuse its buffer, so the rest is copied.
        this.#held = Buffer.from(rest);
        break;
      }
      pieces.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return pieces;
  }

  /** Returns the bytes that are left if the client ends inside a frame. */
  flush(): Buffer {
    const left = this.#held;
    this.#held = Buffer.alloc(0);
    return left;
  }

  /** Returns the length of the preface. The bytes of other protocols aren't changed; the server rejects them. */
  #takeStart(bytes: Buffer): number {
    if (this.#stage === 'somethingElse') return bytes.length;
    const known = Math.min(bytes.length, preface.length);
    if (!bytes.subarray(0, known).equals(preface.subarray(0, known))) {
      this.#stage = 'somethingElse';
      return bytes.length;
    }
    if (bytes.length < preface.length) return 0;
    this.#stage = 'frames';
    return preface.length;
  }

  /** Returns how many bytes can be passed on; 0 if more bytes are needed first. */
  #take(bytes: Buffer): number {
    if (this.#toPass === 0) {
      if (bytes.length < frameHeadLength) return 0;
      const length = frameHeadLength + bytes.readUIntBE(0, 3);
      const isWhole =
        bytes[3] === headersType &&
        ((bytes[4] ?? 0) & flags.endHeaders) !== 0 &&
        length <= frameHeadLength + maxFrameLength;
      if (isWhole) {
        if (bytes.length < length) return 0;
        rewriteFrame(bytes.subarray(0, length));
        return length;
      }
      this.#toPass = length;
    }
    const length = Math.min(bytes.length, this.#toPass);
    this.#toPass -= length;
    return length;
  }
}
