/**
 * Encodes the types of src/messages.ts as protobuf. Enums are names, instants are `bigint`, and missing messages are
 * `undefined`. Zero values are omitted (proto3), and numbers in lists are packed.
 */
import protobuf from 'protobufjs';
import {
  delimited,
  type FieldKind,
  type FieldSchema,
  type MessageSchema,
  type ScalarKind,
  wireTypeOf,
  zeroOf,
} from './schema.ts';

type Message = Readonly<Record<string, unknown>>;
type Writer = protobuf.Writer;

const textEncoder = new TextEncoder();

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

/** Limits a number to 64 bits. Without that, the writer would drop its higher bits. */
function clamp(value: number, min: bigint, max: bigint): string | number {
  if (Number.isSafeInteger(value) && value >= Number(min)) return value;
  if (Number.isNaN(value)) return 0;
  if (value >= Number(max)) return max.toString();
  return value <= Number(min) ? min.toString() : BigInt(Math.trunc(value)).toString();
}

function writeScalar(writer: Writer, type: ScalarKind, value: unknown): void {
  switch (type) {
    case 'string':
      writer.string(value as string);
      return;
    case 'text':
      writer.bytes(textEncoder.encode(value as string));
      return;
    case 'bytes':
      writer.bytes(value as Uint8Array);
      return;
    case 'bool':
      writer.bool(value as boolean);
      return;
    case 'int32':
      writer.int32(value as number);
      return;
    case 'uint32':
      writer.uint32(value as number);
      return;
    case 'int64':
      writer.int64(clamp(value as number, minInt64, maxInt64));
      return;
    case 'uint64':
      writer.uint64(clamp(value as number, 0n, maxUint64));
      return;
    case 'time':
      writer.int64((value as bigint).toString());
      return;
    case 'double':
      writer.double(value as number);
  }
}

function isZero(kind: FieldKind, value: unknown): boolean {
  if (kind.type === 'message') return false;
  // −0 differs from the zero value of a double, so it is written.
  return kind.type === 'bytes'
    ? (value as Uint8Array).length === 0
    : kind.type === 'double'
      ? Object.is(value, 0)
      : value === zeroOf(kind);
}

function writeValue(writer: Writer, kind: FieldKind, value: unknown): void {
  if (kind.type === 'message') {
    writer.fork();
    write(writer, kind.message, value as Message);
    writer.ldelim();
  } else if (kind.type === 'enum') writer.int32(kind.numbers.get(value as string) ?? 0);
  else writeScalar(writer, kind.type, value);
}

function writeField(writer: Writer, { number, shape, kind }: FieldSchema, value: unknown): void {
  const wireType = wireTypeOf(kind);
  if (shape === 'map') {
    for (const [key, item] of Object.entries(value as Message)) {
      writer
        .uint32((number << 3) | delimited)
        .fork()
        .uint32((1 << 3) | delimited)
        .string(key)
        .uint32((2 << 3) | wireType);
      writeValue(writer, kind, item);
      writer.ldelim();
    }
    return;
  }
  if (shape === 'single') {
    if (isZero(kind, value)) return;
    writer.uint32((number << 3) | wireType);
    writeValue(writer, kind, value);
    return;
  }
  const items = value as readonly unknown[];
  if (wireType === delimited) {
    for (const item of items) {
      writer.uint32((number << 3) | delimited);
      writeValue(writer, kind, item);
    }
  } else if (items.length > 0) {
    writer.uint32((number << 3) | delimited).fork();
    for (const item of items) writeValue(writer, kind, item);
    writer.ldelim();
  }
}

function write(writer: Writer, { fields }: MessageSchema, message: Message): void {
  for (const field of fields) {
    const value = message[field.name];
    if (value !== undefined && value !== null) writeField(writer, field, value);
  }
}

/** Returns the message's bytes. */
export const encode = (schema: MessageSchema, message: object): Uint8Array => {
  const writer = protobuf.Writer.create();
  write(writer, schema, message as Message);
  return writer.finish();
};
