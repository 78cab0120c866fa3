/**
 * Decodes protocol buffers to JSON values, using tables of field numbers. Upstream: the generated.proto files (v1.36).
 */
import { badRequest } from '@podscope/apiserver';
import protobuf from 'protobufjs';

/**
 * The type of a field. Values of `integer` and `boolean` are always kept. For `count` and `flag`, a zero is omitted,
 * because Go also writes a zero if the field is unset. Empty strings are always omitted.
 */
type FieldType =
  | 'string'
  | 'bytes'
  | 'integer'
  | 'boolean'
  | 'count'
  | 'flag'
  | 'time'
  | 'quantity'
  | 'intOrString'
  | 'stringMap'
  | 'bytesMap'
  | 'quantityMap'
  | MessageType;

/**
 * Maps field numbers to names and types. Unknown fields are ignored, as usual in protocol buffers. The fields of an
 * `inline` message become fields of its parent in JSON.
 */
export interface MessageType {
  readonly [field: number]: readonly [name: string, type: FieldType, how?: 'repeated' | 'inline'];
}

/** An encoded value: a number, or bytes. */
type WireValue = number | Uint8Array;

export const malformed = (): Error => badRequest('the object provided is unrecognized: malformed protocol buffers');

/** Reads a field of wire type 1 or 5. No message in the tables has such a field, so its value is ignored. */
function readFixed(reader: protobuf.Reader, wireType: number): Uint8Array {
  const start = reader.pos;
  reader.skipType(wireType);
  return reader.buf.subarray(start, reader.pos);
}

/** Yields the fields of a message in order. @throws ApiError BadRequest */
function* readFields(bytes: Uint8Array): Generator<readonly [field: number, value: WireValue]> {
  const reader = protobuf.Reader.create(bytes);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      const wireType = tag & 7;
      if (wireType === 0) yield [tag >>> 3, Number(reader.int64())];
      else yield [tag >>> 3, wireType === 2 ? reader.bytes() : readFixed(reader, wireType)];
    }
  } catch {
    throw malformed();
  }
}

const decoder = new TextDecoder();

/** Returns the message in its JSON form. @throws ApiError BadRequest */
export function readMessage(type: MessageType, bytes: Uint8Array): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const [number, wire] of readFields(bytes)) {
    const definition = type[number];
    if (!definition) continue;
    const [name, fieldType, how] = definition;
    const value = readValue(fieldType, wire);
    if (how === 'repeated') message[name] = [...((message[name] as readonly unknown[] | undefined) ?? []), value];
    else if (how === 'inline') Object.assign(message, value);
    else if (isMap(fieldType)) message[name] = { ...(message[name] as object | undefined), ...(value as object) };
    else if (value !== undefined && value !== '') message[name] = value;
  }
  return message;
}

const isMap = (type: FieldType): boolean => type === 'stringMap' || type === 'bytesMap' || type === 'quantityMap';

function readNumber(type: 'integer' | 'boolean' | 'count' | 'flag', wire: WireValue): unknown {
  if (typeof wire !== 'number') throw malformed();
  if ((type === 'count' || type === 'flag') && wire === 0) return undefined;
  return type === 'boolean' || type === 'flag' ? wire !== 0 : wire;
}

const quantityType: MessageType = { 1: ['text', 'string'] };
const intOrStringType: MessageType = { 1: ['isText', 'flag'], 2: ['number', 'integer'], 3: ['text', 'string'] };
const entryOf = (value: FieldType): MessageType => ({ 1: ['key', 'string'], 2: ['value', value] });

function readEntry(value: FieldType, wire: Uint8Array): unknown {
  const { key = '', value: found = '' } = readMessage(entryOf(value), wire);
  return Object.fromEntries([[key, found]]);
}

function readValue(type: FieldType, wire: WireValue): unknown {
  if (type === 'integer' || type === 'boolean' || type === 'count' || type === 'flag') return readNumber(type, wire);
  if (typeof wire === 'number') throw malformed();
  switch (type) {
    case 'string':
      return decoder.decode(wire);
    case 'bytes':
      return Buffer.from(wire).toString('base64');
    case 'quantity':
      return readMessage(quantityType, wire).text;
    case 'intOrString': {
      const { isText, number = 0, text = '' } = readMessage(intOrStringType, wire);
      return isText ? text : number;
    }
    case 'time': {
      const { seconds } = readMessage({ 1: ['seconds', 'integer'] }, wire);
      return typeof seconds === 'number' && seconds > 0
        ? new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
        : undefined;
    }
    case 'stringMap':
      return readEntry('string', wire);
    case 'bytesMap':
      return readEntry('bytes', wire);
    case 'quantityMap':
      return readEntry('quantity', wire);
    default:
      return readMessage(type, wire);
  }
}
