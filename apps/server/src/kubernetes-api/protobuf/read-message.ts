/**
 * Decodes protocol buffers to JSON values, using tables of field numbers. Upstream: the generated.proto files (v1.36).
 */
import { badRequest } from '@podscope/apiserver';

/**
 * The type of a field. `integer` and `boolean` values are kept as they are. Go also writes unset `count` and `flag`
 * fields, so a zero there is omitted. Empty strings are always omitted.
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
 * Maps field numbers to names and types. Unknown fields are ignored, as usual in protocol buffers. In JSON the fields
 * of an `inline` message belong to its parent.
 */
export interface MessageType {
  readonly [field: number]: readonly [name: string, type: FieldType, how?: 'repeated' | 'inline'];
}

/** A value on the wire: a number, or bytes. */
type WireValue = number | Uint8Array;

export const malformed = (): Error => badRequest('the object provided is unrecognized: malformed protocol buffers');

/** Yields the fields of a message in order. */
function* readFields(bytes: Uint8Array): Generator<readonly [field: number, value: WireValue]> {
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw malformed();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw malformed();
  };
  while (at < bytes.length) {
    const tag = varint();
    const length = { 0: undefined, 1: 8, 2: -1, 5: 4 }[tag % 8];
    if (length === undefined) {
      if (tag % 8 !== 0) throw malformed();
      yield [Math.floor(tag / 8), varint()];
      continue;
    }
    const size = length === -1 ? varint() : length;
    if (size < 0 || at + size > bytes.length) throw malformed();
    yield [Math.floor(tag / 8), bytes.subarray(at, at + size)];
    at += size;
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
