/**
 * Decodes CRI messages from protobuf into the types of src/messages.ts. A missing message is `undefined`, unknown
 * fields are ignored, and lists may be packed or unpacked.
 */
import protobuf from 'protobufjs';
import { alwaysPresent } from './always-present.ts';
import {
  delimited,
  type FieldKind,
  type FieldSchema,
  type MessageSchema,
  type ScalarKind,
  wireTypeOf,
  zeroOf,
} from './schema.ts';

/** Thrown when a message lacks a required field. */
export class MissingFieldError extends Error {
  override readonly name = 'MissingFieldError';
}

/**
 * How a missing required message is treated. `refuse`, for a server: the request is rejected. `empty`, for a client:
 * the message is empty, as with Go's getters, because runtimes omit fields. Inside an optional field, it is always
 * empty, because kubelets send PullImage a sandbox config without metadata.
 */
export type MissingMessages = 'refuse' | 'empty';

type Message = Record<string, unknown>;
type Reader = protobuf.Reader;
type Long = ReturnType<Reader['int64']>;

const textDecoder = new TextDecoder();

/** Converts a 64-bit number. The result is exact up to 2^53, which is more than any size or count. */
const toNumber = (value: Long): number =>
  typeof value === 'number' ? value : (value.unsigned ? value.high >>> 0 : value.high) * 2 ** 32 + (value.low >>> 0);
const toBigInt = (value: Long): bigint =>
  typeof value === 'number' ? BigInt(value) : (BigInt(value.high) << 32n) | BigInt(value.low >>> 0);

function readScalar(reader: Reader, type: ScalarKind): unknown {
  switch (type) {
    case 'string':
      return reader.string();
    case 'text':
      return textDecoder.decode(reader.bytes());
    case 'bytes':
      // The reader returns a view of the whole frame, so the bytes are copied.
      return Uint8Array.from(reader.bytes());
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'uint32':
      return reader.uint32();
    case 'int64':
      return toNumber(reader.int64());
    case 'uint64':
      return toNumber(reader.uint64());
    case 'time':
      return toBigInt(reader.int64());
    case 'double':
      return reader.double();
  }
}

/** The fields of a message type, prepared for decoding. */
interface Plan {
  readonly byNumber: ReadonlyMap<number, FieldSchema>;
  readonly required: ReadonlySet<FieldSchema>;
}

const plans = new WeakMap<MessageSchema, Plan>();

function planOf(schema: MessageSchema): Plan {
  let plan = plans.get(schema);
  if (!plan) {
    const names = new Set(alwaysPresent[schema.name]?.split(' '));
    plan = {
      byNumber: new Map(schema.fields.map((field) => [field.number, field])),
      required: new Set(schema.fields.filter(({ name }) => names.has(name))),
    };
    plans.set(schema, plan);
  }
  return plan;
}

function readValue(reader: Reader, kind: FieldKind, missing: MissingMessages): unknown {
  if (kind.type === 'message') {
    const length = reader.uint32();
    return readMessage(reader, kind.message, reader.pos + length, missing);
  }
  // An enum number that isn't known counts as absent.
  return kind.type === 'enum' ? kind.names.get(reader.int32()) : readScalar(reader, kind.type);
}

/** Defines the property as the object's own. An assignment to the key `__proto__` would set the prototype instead. */
const define = (target: object, key: string, value: unknown): unknown =>
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });

function readMapEntry(reader: Reader, kind: FieldKind, into: object, missing: MissingMessages): void {
  const length = reader.uint32();
  const end = reader.pos + length;
  let key = '';
  let value = zeroOf(kind);
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = readValue(reader, kind, missing);
    else reader.skipType(tag & 7);
  }
  define(into, key, value);
}

function readField(
  reader: Reader,
  field: FieldSchema,
  wireType: number,
  message: Message,
  missing: MissingMessages,
): void {
  const { name, shape, kind } = field;
  if (shape === 'map') {
    message[name] ??= {};
    readMapEntry(reader, kind, message[name] as object, missing);
    return;
  }
  if (shape === 'single') {
    const value = readValue(reader, kind, missing);
    if (value !== undefined) message[name] = value;
    return;
  }
  message[name] ??= [];
  const items = message[name] as unknown[];
  if (wireType === delimited && wireTypeOf(kind) !== delimited) {
    const length = reader.uint32();
    const end = reader.pos + length;
    while (reader.pos < end) items.push(readValue(reader, kind, missing));
  } else items.push(readValue(reader, kind, missing));
}

function readMessage(reader: Reader, schema: MessageSchema, end: number, missing: MissingMessages): Message {
  if (end > reader.len) throw new RangeError(`${schema.name} is cut off`);
  const { byNumber, required } = planOf(schema);
  const message: Message = {};
  for (const { name, shape, kind } of required) {
    if (shape === 'single' && kind.type === 'message') continue;
    message[name] = shape === 'repeated' ? [] : shape === 'map' ? {} : zeroOf(kind);
  }
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = byNumber.get(tag >>> 3);
    const wireType = tag & 7;
    const expected = field && (field.shape === 'single' ? wireTypeOf(field.kind) : delimited);
    if (field && (wireType === expected || (field.shape === 'repeated' && wireType === wireTypeOf(field.kind)))) {
      readField(reader, field, wireType, message, required.has(field) ? missing : 'empty');
    } else reader.skipType(wireType);
  }
  for (const { name, kind } of required) {
    if (message[name] !== undefined || kind.type !== 'message') continue;
    if (missing === 'refuse') throw new MissingFieldError(`${schema.name}.${name} is required`);
    message[name] = decode(kind.message, new Uint8Array(), missing);
  }
  return message;
}

/**
 * Returns the message in `bytes`.
 * @throws MissingFieldError with `refuse`; RangeError or Error for invalid bytes
 */
export function decode(schema: MessageSchema, bytes: Uint8Array, missing: MissingMessages): Message {
  const reader = protobuf.Reader.create(bytes);
  return readMessage(reader, schema, reader.len, missing);
}
