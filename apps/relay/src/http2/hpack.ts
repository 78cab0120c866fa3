/** Decodes and encodes header blocks with HPACK (RFC 7541). */
import { decodeHuffman, HeaderBlockReader } from '@podscope/cri/hpack';

/** Header fields in order. Each character of a string stands for one byte. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The static table of appendix A. Entry `i` has the index `i + 1`. */
const staticTable: Fields = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

/** The number of bytes that an entry counts in addition to its strings (section 4.1). */
const entryOverhead = 32;
/** The size of the dynamic table, in bytes. The relay always uses this size. */
const tableSize = 4_096;
/** Maximum size of a header list, in bytes. A larger list ends the connection. grpc-go accepts 16 MiB. */
const maxListSize = 16 * 1024 * 1024;

const sizeOf = ([name, value]: Fields[number]): number => name.length + value.length + entryOverhead;

function textOf(reader: HeaderBlockReader): string {
  const { bytes, isHuffman } = reader.string();
  return isHuffman ? decodeHuffman(bytes) : bytes.toString('latin1');
}

/** Decodes the header blocks of one direction of a connection, in the order in which they were received. */
export class HeaderDecoder {
  /** The entries of the dynamic table. The newest entry is the first. */
  readonly #dynamic: (readonly [string, string])[] = [];
  #size = 0;
  #limit = tableSize;

  /**
   * Decodes one header block.
   * @throws Error if the block isn't valid; the connection can't be used afterwards
   */
  decode(block: Buffer): Fields {
    const reader = new HeaderBlockReader(block);
    const fields: (readonly [string, string])[] = [];
    let listSize = 0;
    while (!reader.isAtEnd) {
      const field = this.#field(reader);
      if (!field) continue;
      listSize += sizeOf(field);
      if (listSize > maxListSize) throw new Error('HPACK: the header list is too large');
      fields.push(field);
    }
    return fields;
  }

  #field(reader: HeaderBlockReader): readonly [string, string] | undefined {
    const { kind } = reader;
    if (kind & 0x80) return this.#entry(reader.integer(7));
    if (kind & 0x40) {
      const field = this.#literal(reader, 6);
      this.#insert(field);
      return field;
    }
    if (!(kind & 0x20)) return this.#literal(reader, 4);
    const limit = reader.integer(5);
    if (limit > tableSize) throw new Error('HPACK: the dynamic table is too large');
    this.#limit = limit;
    this.#evict();
    return undefined;
  }

  #literal(reader: HeaderBlockReader, prefixBits: number): readonly [string, string] {
    const index = reader.integer(prefixBits);
    const name = index === 0 ? textOf(reader) : this.#entry(index)[0];
    return [name, textOf(reader)];
  }

  #entry(index: number): readonly [string, string] {
    const entry = index <= staticTable.length ? staticTable[index - 1] : this.#dynamic[index - staticTable.length - 1];
    if (!entry) throw new Error('HPACK: invalid index');
    return entry;
  }

  #insert(field: readonly [string, string]): void {
    this.#dynamic.unshift(field);
    this.#size += sizeOf(field);
    this.#evict();
  }

  #evict(): void {
    while (this.#size > this.#limit) {
      const oldest = this.#dynamic.pop();
      if (!oldest) return;
      this.#size -= sizeOf(oldest);
    }
  }
}

const staticIndices = new Map<string, number>();
const staticNames = new Map<string, number>();
for (const [index, [name, value]] of staticTable.entries()) {
  staticIndices.set(`${name}\0${value}`, index + 1);
  if (!staticNames.has(name)) staticNames.set(name, index + 1);
}

function integerLength(value: number, prefixBits: number): number {
  const limit = (1 << prefixBits) - 1;
  if (value < limit) return 1;
  let length = 2;
  for (let rest = value - limit; rest >= 0x80; rest >>>= 7) length += 1;
  return length;
}

function writeInteger(block: Buffer, start: number, value: number, prefixBits: number, pattern: number): number {
  const limit = (1 << prefixBits) - 1;
  if (value < limit) {
    block[start] = pattern | value;
    return start + 1;
  }
  block[start] = pattern | limit;
  let at = start + 1;
  let rest = value - limit;
  for (; rest >= 0x80; rest >>>= 7) block[at++] = (rest & 0x7f) | 0x80;
  block[at] = rest;
  return at + 1;
}

function writeString(block: Buffer, start: number, text: string): number {
  const at = writeInteger(block, start, text.length, 7, 0);
  return at + block.write(text, at, 'latin1');
}

const stringLength = (text: string): number => integerLength(text.length, 7) + text.length;

/**
 * Encodes header fields as a header block. Doesn't use the dynamic table, so that each block can be decoded on its own,
 * even if an earlier call isn't forwarded.
 */
export function encodeFields(fields: Fields): Buffer {
  let length = 0;
  for (const [name, value] of fields) {
    const known = staticNames.get(name);
    if (known === undefined) length += 1 + stringLength(name) + stringLength(value);
    else length += integerLength(known, 4) + stringLength(value);
  }
  const block = Buffer.allocUnsafe(length);
  let at = 0;
  for (const [name, value] of fields) {
    const whole = staticIndices.get(`${name}\0${value}`);
    const known = staticNames.get(name);
    if (whole !== undefined) at = writeInteger(block, at, whole, 7, 0x80);
    else {
      at = writeInteger(block, at, known ?? 0, 4, 0);
      if (known === undefined) at = writeString(block, at, name);
      at = writeString(block, at, value);
    }
  }
  return block.subarray(0, at);
}
