/**
 * Rewrites the `:authority` header of old clients. gRPC clients in Go at the time of `runtime.v1alpha2` (kubelet and
 * crictl up to 1.22) send the path of the socket as `:authority`, which Node's HTTP/2 rejects. A hyphen replaces each
 * slash in it while the bytes pass through. The HPACK codes of both characters have the same length, so neither lengths
 * nor header tables change.
 */

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
const slashCode = 0b011000;
const hyphenCode = 0b010110;
const shortCodeBits = 6;

/**
 * The Huffman codes by length. A code of `bits` bits is less than `end` and doesn't begin with a shorter code. The
 * table contains RFC 7541, appendix B, up to the rarest ASCII characters.
 */
const huffmanLengths = [
  { bits: 5, end: 0xa },
  { bits: 6, end: 0x2e },
  { bits: 7, end: 0x7c },
  { bits: 8, end: 0xfe },
  { bits: 10, end: 0x3fd },
  { bits: 11, end: 0x7fd },
  { bits: 12, end: 0xffc },
  { bits: 13, end: 0x1ffe },
  { bits: 14, end: 0x3ffe },
  { bits: 15, end: 0x7fff },
] as const;

/** Returns `count` bits from `position` on. Bits after the end are ones, with which Huffman texts are padded. */
function bitsAt(bytes: Buffer, position: number, count: number): number {
  let value = 0;
  for (let bit = position; bit < position + count; bit += 1)
    value = (value << 1) | (((bytes[bit >> 3] ?? 0xff) >> (7 - (bit & 7))) & 1);
  return value;
}

function writeBits(bytes: Buffer, position: number, count: number, value: number): void {
  for (let index = 0; index < count; index += 1) {
    const bit = position + index;
    const mask = 0x80 >> (bit & 7);
    const byte = bytes[bit >> 3] ?? 0;
    bytes[bit >> 3] = (value >> (count - 1 - index)) & 1 ? byte | mask : byte & ~mask;
  }
}

function mendHuffman(bytes: Buffer): void {
  let position = 0;
  while (position + huffmanLengths[0].bits <= bytes.length * 8) {
    const code = huffmanLengths.find(({ bits, end }) => bitsAt(bytes, position, bits) < end);
    // The bits are padding, or a character that no path contains.
    if (!code) return;
    if (code.bits === shortCodeBits && bitsAt(bytes, position, shortCodeBits) === slashCode)
      writeBits(bytes, position, shortCodeBits, hyphenCode);
    position += code.bits;
  }
}

function mendPlain(bytes: Buffer): void {
  for (let at = bytes.indexOf(slash); at >= 0; at = bytes.indexOf(slash, at)) bytes[at] = hyphen;
}

class OutOfBlock extends Error {}

/** Parses the fields of a header block (RFC 7541, section 6). */
class HeaderBlock {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Rewrites every literal `:authority`. An invalid block isn't changed; the HTTP/2 server rejects it. */
  mend(): void {
    try {
      while (this.#position < this.#bytes.length) this.#field();
    } catch (error) {
      if (!(error instanceof OutOfBlock)) throw error;
    }
  }

  #field(): void {
    const first = this.#bytes[this.#position] ?? 0;
    if (first & 0x80) this.#integer(7);
    else if (!(first & 0x40) && first & 0x20) this.#integer(5);
    else {
      const name = this.#integer(first & 0x40 ? 6 : 4);
      if (name === 0) this.#string();
      const { bytes, isHuffman } = this.#string();
      if (name !== authorityIndex) return;
      if (isHuffman) mendHuffman(bytes);
      else mendPlain(bytes);
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw new OutOfBlock();
    this.#position += 1;
    return byte;
  }

  #integer(prefixBits: number): number {
    const limit = (1 << prefixBits) - 1;
    let value = this.#byte() & limit;
    if (value < limit) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    throw new OutOfBlock();
  }

  #string(): { readonly bytes: Buffer; readonly isHuffman: boolean } {
    const isHuffman = ((this.#bytes[this.#position] ?? 0) & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#position;
    this.#position += length;
    if (this.#position > this.#bytes.length) throw new OutOfBlock();
    return { bytes: this.#bytes.subarray(start, this.#position), isHuffman };
  }
}

/**
 * Rewrites the header block of a frame.
 * @param frame a complete HEADERS frame, changed in place
 */
function mendFrame(frame: Buffer): void {
  const given = frame[4] ?? 0;
  let start = frameHeadLength;
  let end = frame.length;
  if (given & flags.padded) {
    end -= frame[start] ?? 0;
    start += 1;
  }
  if (given & flags.priority) start += 5;
  if (start < end) new HeaderBlock(frame.subarray(start, end)).mend();
}

/** Rewrites the bytes of one connection. */
export class AuthorityMender {
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
        mendFrame(bytes.subarray(0, length));
        return length;
      }
      this.#toPass = length;
    }
    const length = Math.min(bytes.length, this.#toPass);
    this.#toPass -= length;
    return length;
  }
}
