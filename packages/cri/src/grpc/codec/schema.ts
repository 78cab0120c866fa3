/**
 * Loads the messages and services in the .proto file for the codec. No other file describes the wire format; a test
 * compares src/messages.ts with it.
 */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/** How a value is encoded, and which type it has in a message. */
export type ScalarKind =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'double'
  | 'time'
  | 'text';
export type FieldKind =
  | { readonly type: ScalarKind }
  | {
      readonly type: 'enum';
      readonly names: ReadonlyMap<number, string>;
      readonly numbers: ReadonlyMap<string, number>;
    }
  | { readonly type: 'message'; readonly message: MessageSchema };

export interface FieldSchema {
  readonly number: number;
  /** The name of the field in TypeScript. */
  readonly name: string;
  readonly shape: 'single' | 'repeated' | 'map';
  readonly kind: FieldKind;
}

export interface MessageSchema {
  readonly name: string;
  /** The fields, sorted by number, which is also their order in the encoded message. */
  readonly fields: readonly FieldSchema[];
}

export interface MethodSchema {
  readonly name: string;
  readonly request: MessageSchema;
  readonly response: MessageSchema;
  /** Whether the server streams its responses. */
  readonly streams: boolean;
}

export const delimited = 2;
const varint = 0;
const fixed64 = 1;

/** Returns the protobuf wire type of a value. */
export function wireTypeOf(kind: FieldKind): number {
  switch (kind.type) {
    case 'string':
    case 'text':
    case 'bytes':
    case 'message':
      return delimited;
    case 'double':
      return fixed64;
    default:
      return varint;
  }
}

/** Returns the zero value of a kind; undefined for a message. */
export function zeroOf(kind: FieldKind): unknown {
  switch (kind.type) {
    case 'string':
    case 'text':
      return '';
    case 'bytes':
      return new Uint8Array();
    case 'bool':
      return false;
    case 'time':
      return 0n;
    case 'enum':
      return kind.names.get(0);
    case 'message':
      return undefined;
    default:
      return 0;
  }
}

/** The URL of the .proto file. */
export const protoFile = new URL('../../../proto/runtime.v1.proto', import.meta.url);

/** The int64 fields that contain nanoseconds since the Unix epoch, which a `number` can't represent exactly. */
const timeFields = new Set(['timestamp', 'created_at', 'started_at', 'finished_at']);

/**
 * Returns a field's name in camel case, for example `podSandboxId` for `pod_sandbox_id`, `CDIDevices` for `CDI_devices`
 * and `full` for `Full`.
 */
function fieldName(protoName: string): string {
  const camel = protoName.replaceAll(/_([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return /^[A-Z][a-z]/.test(camel) ? camel.charAt(0).toLowerCase() + camel.slice(1) : camel;
}

function scalarKind(message: string, field: protobuf.Field): ScalarKind {
  // In messages.ts, the value of an environment variable is a text, although v1 declares bytes (v1alpha2: string).
  if (message === 'KeyValue' && field.name === 'value') return 'text';
  if (field.type === 'int64' && timeFields.has(field.name)) return 'time';
  return field.type as ScalarKind;
}

class Loader {
  readonly #root = protobuf.parse(readFileSync(protoFile, 'utf8'), { keepCase: true }).root.resolveAll();
  readonly #messages = new Map<string, MessageSchema>();

  message(type: protobuf.Type): MessageSchema {
    const known = this.#messages.get(type.name);
    if (known) return known;
    const fields: FieldSchema[] = [];
    const schema: MessageSchema = { name: type.name, fields };
    // Messages may contain each other, so a message is registered before its fields are read.
    this.#messages.set(type.name, schema);
    fields.push(
      ...type.fieldsArray.map((field) => this.#field(type.name, field)).toSorted((a, b) => a.number - b.number),
    );
    return schema;
  }

  #field(message: string, field: protobuf.Field): FieldSchema {
    return {
      number: field.id,
      name: fieldName(field.name),
      shape: field.map ? 'map' : field.repeated ? 'repeated' : 'single',
      kind: this.#kind(message, field),
    };
  }

  #kind(message: string, field: protobuf.Field): FieldKind {
    const { resolvedType } = field;
    if (resolvedType instanceof protobuf.Enum) {
      const entries = Object.entries(resolvedType.values);
      return {
        type: 'enum',
        numbers: new Map(entries),
        names: new Map(entries.map(([name, number]) => [number, name])),
      };
    }
    return resolvedType
      ? { type: 'message', message: this.message(resolvedType) }
      : { type: scalarKind(message, field) };
  }

  methods(service: string): readonly MethodSchema[] {
    return this.#root.lookupService(`runtime.v1.${service}`).methodsArray.map((method) => ({
      name: method.name,
      request: this.message(this.#root.lookupType(`runtime.v1.${method.requestType}`)),
      response: this.message(this.#root.lookupType(`runtime.v1.${method.responseType}`)),
      streams: method.responseStream === true,
    }));
  }

  all(): readonly MessageSchema[] {
    return [...this.#messages.values()];
  }
}

const loader = new Loader();

/** The RPCs of each service in the order of the .proto file. */
export const serviceSchemas = {
  RuntimeService: loader.methods('RuntimeService'),
  ImageService: loader.methods('ImageService'),
} as const;

/** All messages of requests and responses. */
export const messageSchemas: readonly MessageSchema[] = loader.all();
