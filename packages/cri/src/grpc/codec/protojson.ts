/**
 * Converts CRI messages from protobuf JSON to the types of src/messages.ts. Missing fields get the same values as in
 * the binary decoder.
 */
import { isRecord } from '@podscope/base';
import { alwaysPresent } from './always-present.ts';
import { type FieldKind, type FieldSchema, type MessageSchema, zeroOf } from './schema.ts';

const textDecoder = new TextDecoder();

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** Returns the value if it has the type of the field; otherwise undefined. */
function readValue(kind: FieldKind, value: unknown): unknown {
  switch (kind.type) {
    case 'message':
      return isRecord(value) ? fromProtoJSON(kind.message, value) : undefined;
    case 'enum':
      return typeof value === 'number' ? kind.names.get(value) : typeof value === 'string' ? value : undefined;
    case 'time':
      return typeof value === 'string' || typeof value === 'number' ? BigInt(value) : undefined;
    case 'text':
      return typeof value === 'string' ? textDecoder.decode(bytesOf(value)) : undefined;
    case 'bytes':
      return typeof value === 'string' ? bytesOf(value) : undefined;
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    default:
      return typeof value === 'string' || typeof value === 'number' ? Number(value) : undefined;
  }
}

function readField({ shape, kind }: FieldSchema, value: unknown): unknown {
  if (shape === 'single') return readValue(kind, value);
  if (shape === 'repeated')
    return Array.isArray(value)
      ? value.map((each) => readValue(kind, each)).filter((each) => each !== undefined)
      : undefined;
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readValue(kind, each) ?? zeroOf(kind)]));
}

/** Returns the names that a field may have in protobuf JSON. Upstream's `Full` is `full` here. */
const jsonNames = ({ name }: FieldSchema): readonly string[] => [name, name.charAt(0).toUpperCase() + name.slice(1)];

/**
 * Converts a JSON object to a message. Ignores unknown fields, and adds the fields that a message always has.
 * @throws SyntaxError for a 64-bit number that can't be parsed
 */
export function fromProtoJSON(
  schema: MessageSchema,
  json: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const required = new Set(alwaysPresent[schema.name]?.split(' '));
  const message: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const key = jsonNames(field).find((name) => Object.hasOwn(json, name));
    const value = key === undefined ? undefined : readField(field, json[key]);
    if (value !== undefined) message[field.name] = value;
    else if (required.has(field.name)) {
      const { shape, kind } = field;
      message[field.name] =
        shape === 'repeated'
          ? []
          : shape === 'map'
            ? {}
            : kind.type === 'message'
              ? fromProtoJSON(kind.message, {})
              : zeroOf(kind);
    }
  }
  return message;
}
