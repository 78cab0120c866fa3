/** Reads the integers and strings of an HPACK header block (RFC 7541, section 5). */

/** Thrown for a header block that isn't valid. */
export class HeaderBlockError extends Error {}

/** A string as it is encoded. */
export interface EncodedString {
  /** The part of the block with the string. */
  readonly bytes: Buffer;
  readonly isHuffman: boolean;
}

/** Reads a header block from its beginning. */
export class HeaderBlockReader {
  readonly #block: Buffer;
  #at = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#block.length;
  }

  /** The first byte of the next field, whose highest bits are the kind of the field. */
  get kind(): number {
    return this.#block[this.#at] ?? 0;
  }

  /**
   * Reads an integer.
   * @param prefixBits the number of its bits in the first byte
   * @throws HeaderBlockError if the integer isn't valid
   */
  integer(prefixBits: number): number {
    const limit = (1 << prefixBits) - 1;
    let value = this.#byte() & limit;
    if (value < limit) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    throw new HeaderBlockError('HPACK: an integer is too large');
  }

  /** Reads a string without decoding it. @throws HeaderBlockError if the string isn't valid */
  string(): EncodedString {
    const isHuffman = (this.kind & 0x80) !== 0;
    const length = this.integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw new HeaderBlockError('HPACK: the block ends within a string');
    const bytes = this.#block.subarray(this.#at, end);
    this.#at = end;
    return { bytes, isHuffman };
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new HeaderBlockError('HPACK: the block ends within a field');
    this.#at += 1;
    return byte;
  }
}
