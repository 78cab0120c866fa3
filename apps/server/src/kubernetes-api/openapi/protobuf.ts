/**
 * Encodes OpenAPI 2.0 as protocol buffers, the only format that older kubectl versions read. The field numbers are
 * those of gnostic's openapi.v2 messages. Only fields that the document uses are written.
 */
import {
  type DescribedPath,
  definitions,
  describedPaths,
  documentInfo,
  groupVersionKind,
  type OpenApiSchema,
  writeParameters,
} from './document.ts';

type Bytes = Uint8Array;

const encoder = new TextEncoder();

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const lengthDelimited = 2;

/** Encodes a field whose content is text or a message. */
function field(number: number, content: string | Bytes): Bytes {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  return Buffer.concat([Uint8Array.from([...varint((number << 3) | lengthDelimited), ...varint(bytes.length)]), bytes]);
}

const message = (...fields: readonly Bytes[]): Bytes => Buffer.concat(fields);
const named = (name: string, value: Bytes): Bytes => message(field(1, name), field(2, value));
/** Encodes a NamedAny. Its value has to be YAML; JSON is valid YAML. */
const extension = (name: string, value: unknown): Bytes => named(name, message(field(2, JSON.stringify(value))));

/** Encodes a Schema. */
function schemaMessage(schema: OpenApiSchema): Bytes {
  const extensions = Object.entries(schema).filter(([name]) => name.startsWith('x-'));
  const properties = Object.entries(schema.properties ?? {});
  return message(
    ...(schema.reference ? [field(1, `#/definitions/${schema.reference}`)] : []),
    ...(schema.format ? [field(2, schema.format)] : []),
    ...(schema.description ? [field(4, schema.description)] : []),
    ...(schema.required ?? []).map((name) => field(19, name)),
    ...(schema.additionalProperties ? [field(21, field(1, schemaMessage(schema.additionalProperties)))] : []),
    ...(schema.type ? [field(22, field(1, schema.type))] : []),
    ...(schema.items ? [field(23, field(1, schemaMessage(schema.items)))] : []),
    ...(properties.length > 0
      ? [field(25, message(...properties.map(([name, property]) => field(1, named(name, schemaMessage(property))))))]
      : []),
    ...extensions.map(([name, value]) => field(31, extension(name, value))),
  );
}

/** Encodes a ParametersItem that contains a Parameter, a NonBodyParameter and a QueryParameterSubSchema. */
const queryParameter = (name: string): Bytes =>
  field(1, field(2, field(3, message(field(2, 'query'), field(4, name)))));

/** Encodes the Operation of a PATCH request. */
const patchOperation = (kind: DescribedPath['kind']): Bytes =>
  message(
    ...writeParameters.map((name) => field(8, queryParameter(name))),
    field(13, extension('x-kubernetes-group-version-kind', groupVersionKind(kind))),
  );

/** Returns the document as a Document message. */
export function openApiV2Protobuf(): Bytes {
  const paths = describedPaths().map(({ path, kind }) => field(2, named(path, field(8, patchOperation(kind)))));
  const schemas = Object.entries(definitions()).map(([name, schema]) => field(1, named(name, schemaMessage(schema))));
  return message(
    field(1, '2.0'),
    field(2, message(field(1, documentInfo.title), field(2, documentInfo.version))),
    field(8, message(...paths)),
    field(9, message(...schemas)),
  );
}
