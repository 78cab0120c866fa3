/**
 * Encodes and decodes D-Bus messages, limited to the types that calls to systemd use. Upstream:
 * github.com/godbus/dbus/v5 (message.go, encoder.go).
 */

/** A value that carries its own type, for example the value of a unit property. */
export interface Variant {
  readonly signature: string;
  readonly value: DBusValue;
}

export type DBusValue = string | number | bigint | boolean | Variant | readonly DBusValue[];

/** The types of messages, with their numbers in the protocol. */
export const messageTypes = { methodCall: 1, methodReturn: 2, error: 3, signal: 4 } as const;

export interface DBusMessage {
  readonly type: number;
  readonly serial: number;
  readonly path?: string | undefined;
  readonly interface?: string | undefined;
  readonly member?: string | undefined;
  readonly errorName?: string | undefined;
  readonly replySerial?: number | undefined;
  readonly destination?: string | undefined;
  readonly signature?: string | undefined;
  readonly body: readonly DBusValue[];
}

/** The header fields with their code and D-Bus type, in the order in which they are written. */
const fields = [
  ['path', 1, 'o'],
  ['interface', 2, 's'],
  ['member', 3, 's'],
  ['errorName', 4, 's'],
  ['replySerial', 5, 'u'],
  ['destination', 6, 's'],
  ['signature', 8, 'g'],
] as const;

/**
 * The length of the fixed part of a header: flags, lengths and the serial number, before the array of fields. In bytes.
 */
const fixedHeaderLength = 16;
const littleEndian = 'l'.charCodeAt(0);
const protocolVersion = 1;
/** The largest message that the protocol allows, in bytes. */
const maxMessageLength = 2 ** 27;

const alignments: Readonly<Record<string, number>> = {
  y: 1,
  g: 1,
  v: 1,
  b: 4,
  u: 4,
  s: 4,
  o: 4,
  a: 4,
  t: 8,
  '(': 8,
};

function alignmentOf(type: string): number {
  const alignment = alignments[type.charAt(0)];
  if (alignment === undefined) throw new Error(`unsupported D-Bus type ${JSON.stringify(type)}`);
  return alignment;
}

/** Splits a signature into complete types: `sa(sv)u` into `s`, `a(sv)`, `u`. */
export function splitSignature(signature: string): readonly string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const start = at;
    while (signature[at] === 'a') at++;
    let depth = 0;
    do {
      if (signature[at] === '(') depth++;
      if (signature[at] === ')') depth--;
      at++;
    } while (depth > 0 && at < signature.length);
    types.push(signature.slice(start, at));
  }
  return types;
}

class Writer {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  align(to: number): void {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0);
  }

  uint(value: number | bigint, size: 1 | 4 | 8): void {
    this.align(size);
    for (let index = 0; index < size; index++) this.#bytes.push(Number((BigInt(value) >> BigInt(8 * index)) & 0xffn));
  }

  setUint32(at: number, value: number): void {
    for (let index = 0; index < 4; index++) this.#bytes[at + index] = (value >>> (8 * index)) & 0xff;
  }

  bytes(value: Uint8Array): void {
    for (const byte of value) this.#bytes.push(byte);
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

function asText(value: DBusValue): Buffer {
  if (typeof value !== 'string') throw new TypeError(`D-Bus string expected, got ${typeof value}`);
  return Buffer.from(value, 'utf8');
}

function asList(value: DBusValue): readonly DBusValue[] {
  if (!Array.isArray(value)) throw new TypeError(`D-Bus array or structure expected, got ${typeof value}`);
  return value as readonly DBusValue[];
}

function asVariant(value: DBusValue): Variant {
  if (typeof value !== 'object' || !('signature' in value)) throw new TypeError('D-Bus variant expected');
  return value;
}

function write(writer: Writer, type: string, value: DBusValue): void {
  switch (type.charAt(0)) {
    case 'y':
      return writer.uint(Number(value), 1);
    case 'b':
      return writer.uint(value === true ? 1 : 0, 4);
    case 'u':
      return writer.uint(Number(value), 4);
    case 't':
      return writer.uint(typeof value === 'bigint' ? value : BigInt(Number(value)), 8);
    case 's':
    case 'o':
    case 'g': {
      const text = asText(value);
      writer.uint(text.length, type === 'g' ? 1 : 4);
      writer.bytes(text);
      return writer.uint(0, 1);
    }
    case 'v': {
      const variant = asVariant(value);
      write(writer, 'g', variant.signature);
      return write(writer, variant.signature, variant.value);
    }
    case 'a': {
      const element = type.slice(1);
      writer.uint(0, 4);
      const lengthAt = writer.length - 4;
      writer.align(alignmentOf(element));
      const start = writer.length;
      for (const item of asList(value)) write(writer, element, item);
      return writer.setUint32(lengthAt, writer.length - start);
    }
    case '(': {
      writer.align(8);
      const members = asList(value);
      for (const [index, member] of splitSignature(type.slice(1, -1)).entries()) {
        const item = members[index];
        if (item === undefined) throw new TypeError(`D-Bus structure ${type} lacks member ${index}`);
        write(writer, member, item);
      }
      return undefined;
    }
    default:
      throw new Error(`unsupported D-Bus type ${JSON.stringify(type)}`);
  }
}

class Reader {
  readonly #buffer: Buffer;
  at: number;

  constructor(buffer: Buffer, at = 0) {
    this.#buffer = buffer;
    this.at = at;
  }

  align(to: number): void {
    this.at += (to - (this.at % to)) % to;
  }

  uint8(): number {
    return this.#buffer.readUInt8(this.at++);
  }

  uint32(): number {
    this.align(4);
    this.at += 4;
    return this.#buffer.readUInt32LE(this.at - 4);
  }

  uint64(): bigint {
    this.align(8);
    this.at += 8;
    return this.#buffer.readBigUInt64LE(this.at - 8);
  }

  text(length: number): string {
    const text = this.#buffer.toString('utf8', this.at, this.at + length);
    this.at += length + 1;
    return text;
  }
}

function read(reader: Reader, type: string): DBusValue {
  switch (type.charAt(0)) {
    case 'y':
      return reader.uint8();
    case 'b':
      return reader.uint32() !== 0;
    case 'u':
      return reader.uint32();
    case 't':
      return reader.uint64();
    case 's':
    case 'o':
      return reader.text(reader.uint32());
    case 'g':
      return reader.text(reader.uint8());
    case 'v': {
      const signature = reader.text(reader.uint8());
      return { signature, value: read(reader, signature) };
    }
    case 'a': {
      const length = reader.uint32();
      reader.align(alignmentOf(type.slice(1)));
      const end = reader.at + length;
      const items: DBusValue[] = [];
      while (reader.at < end) items.push(read(reader, type.slice(1)));
      return items;
    }
    case '(':
      reader.align(8);
      return splitSignature(type.slice(1, -1)).map((member) => read(reader, member));
    default:
      throw new Error(`unsupported D-Bus type ${JSON.stringify(type)}`);
  }
}

/** Returns the bytes of a message. @throws Error when a value doesn't match the signature */
export function encodeMessage(message: DBusMessage): Buffer {
  const body = new Writer();
  for (const [index, type] of splitSignature(message.signature ?? '').entries()) {
    const value = message.body[index];
    if (value === undefined) throw new TypeError(`D-Bus argument ${index} is missing`);
    write(body, type, value);
  }
  const header = new Writer();
  for (const byte of [littleEndian, message.type, 0, protocolVersion]) header.uint(byte, 1);
  header.uint(body.length, 4);
  header.uint(message.serial, 4);
  const list = fields.flatMap(([name, code, signature]): DBusValue[] => {
    const value = message[name];
    return value === undefined ? [] : [[code, { signature, value }]];
  });
  write(header, 'a(yv)', list);
  header.align(8);
  return Buffer.concat([header.toBuffer(), body.toBuffer()]);
}

/**
 * Decodes the first message of a buffer.
 * @returns the message and its length; undefined while the buffer contains only a part of the message
 * @throws Error for a message in big-endian order or beyond the protocol's limit
 */
export function decodeMessage(buffer: Buffer): { readonly message: DBusMessage; readonly length: number } | undefined {
  if (buffer.length < fixedHeaderLength) return undefined;
  if (buffer[0] !== littleEndian) throw new Error('D-Bus message in an unsupported byte order');
  const bodyLength = buffer.readUInt32LE(4);
  const fieldsLength = buffer.readUInt32LE(12);
  const bodyAt = fixedHeaderLength + fieldsLength + ((8 - (fieldsLength % 8)) % 8);
  const length = bodyAt + bodyLength;
  if (length > maxMessageLength) throw new Error(`D-Bus message of ${length} bytes exceeds the limit`);
  if (buffer.length < length) return undefined;
  const values = new Map<number, DBusValue>();
  for (const field of asList(read(new Reader(buffer, 12), 'a(yv)'))) {
    const [code, value] = asList(field);
    if (code !== undefined && value !== undefined) values.set(Number(code), asVariant(value).value);
  }
  const text = (code: number): string | undefined => {
    const value = values.get(code);
    return typeof value === 'string' ? value : undefined;
  };
  const signature = text(8);
  const reader = new Reader(buffer.subarray(bodyAt, length));
  const replySerial = values.get(5);
  return {
    length,
    message: {
      type: buffer.readUInt8(1),
      serial: buffer.readUInt32LE(8),
      path: text(1),
      interface: text(2),
      member: text(3),
      errorName: text(4),
      replySerial: typeof replySerial === 'number' ? replySerial : undefined,
      destination: text(6),
      signature,
      body: splitSignature(signature ?? '').map((type) => read(reader, type)),
    },
  };
}
