/** Decodes and encodes the messages of calls by their method, from protobuf bytes or protobuf JSON. */
import { errorMessage, isRecord } from '@podscope/base';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { fromProtoJSON } from './protojson.ts';
import { type MessageSchema, serviceSchemas } from './schema.ts';

/** A message of a call: its decoded fields, or why it can't be decoded. */
export type DecodedMessage = { readonly message: Readonly<Record<string, unknown>> } | { readonly problem: string };

const methods = new Map(Object.values(serviceSchemas).flatMap((all) => all.map((method) => [method.name, method])));

function read(
  method: string,
  direction: 'request' | 'response',
  body: (schema: MessageSchema) => Readonly<Record<string, unknown>>,
): DecodedMessage {
  const schema = methods.get(method);
  if (!schema) return { problem: `the method ${method} is unknown` };
  try {
    return { message: body(schema[direction]) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

/**
 * Decodes a message of `runtime.v1` or `runtime.v1alpha2`. Both have the same wire format.
 * @param method the name of the RPC, for example `CreateContainer`
 */
export const decodeCallMessage = (
  method: string,
  direction: 'request' | 'response',
  bytes: Uint8Array,
): DecodedMessage => read(method, direction, (schema) => decode(schema, bytes, 'empty'));

/** Converts a message in the protobuf JSON mapping. */
export const readCallMessage = (method: string, direction: 'request' | 'response', json: unknown): DecodedMessage =>
  read(method, direction, (schema) => {
    if (!isRecord(json)) throw new TypeError('the message is not an object');
    return fromProtoJSON(schema, json);
  });

/**
 * Returns the protobuf bytes of a message in the protobuf JSON mapping.
 * @throws TypeError if the method is unknown, or if the JSON isn't its message
 */
export function encodeCallMessage(method: string, direction: 'request' | 'response', json: unknown): Uint8Array {
  const schema = methods.get(method)?.[direction];
  if (!schema || !isRecord(json)) throw new TypeError(`the JSON is no ${direction} of ${method}`);
  return encode(schema, fromProtoJSON(schema, json));
}
