/**
 * Generates the OpenAPI documents from the schemas with which the server decodes objects. kubectl uses the documents to
 * validate manifests, merge lists and explain fields, and to check whether the server supports dry run and strict
 * validation.
 */
import { type EditableKind, resourceDefinitions } from '@podscope/apiserver';
import { apiVersionOfKind, type ObjectSchema, type ScalarSchema, type Schema, writableKinds } from '@podscope/k8s';
import { kubernetesVersion } from '@podscope/node';
import { descriptions } from './descriptions.ts';
import { namedSchemas } from './names.ts';

/** The members of an OpenAPI schema that the documents use. */
export interface OpenApiSchema {
  /** The full name of the definition to which this schema refers. */
  readonly reference?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly [extension: `x-${string}`]: unknown;
}

const scalars: Readonly<Record<ScalarSchema['type'], OpenApiSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  quantity: { type: 'string', 'x-kubernetes-int-or-string': true },
  intOrString: { type: 'string', format: 'int-or-string', 'x-kubernetes-int-or-string': true },
  time: { type: 'string', format: 'date-time' },
  bytes: { type: 'string', format: 'byte' },
};

function convert(schema: Schema): OpenApiSchema {
  const name = namedSchemas.get(schema);
  if (name !== undefined) return { reference: fullName(name) };
  switch (schema.type) {
    case 'object':
      return convertObject(schema);
    case 'map':
      return { type: 'object', additionalProperties: convert(schema.values) };
    case 'array':
      return {
        type: 'array',
        items: convert(schema.items),
        ...(schema.patch === 'merge' ? { 'x-kubernetes-patch-strategy': 'merge' } : {}),
        ...(schema.mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': schema.mergeKey }),
      };
    case 'any':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    default:
      return schema.bits === 32 ? { type: 'integer', format: 'int32' } : scalars[schema.type];
  }
}

const described = (description: string | undefined): OpenApiSchema =>
  description === undefined ? {} : { description };

/**
 * Converts an object schema.
 * @param name name of the structure, which the descriptions of its fields contain
 */
const convertObject = ({ fields, required }: ObjectSchema, name = ''): OpenApiSchema => {
  // Require only lists and names, because Go clients send zero values for all other fields.
  const written = required.filter((field) => !['apiVersion', 'kind', 'metadata', 'uid', 'spec'].includes(field));
  return {
    type: 'object',
    ...described(descriptions[name]),
    ...(written.length > 0 && name !== 'ObjectMeta' ? { required: written } : {}),
    properties: Object.fromEntries(
      Object.entries(fields).map(([field, schema]) => [
        field,
        { ...convert(schema), ...described(descriptions[`${name}.${field}`] ?? inherited(name, field)) },
      ]),
    ),
  };
};

/**
 * Returns the description of the same field in a related structure. For example, ephemeral containers have the fields
 * of containers, and every kind has metadata.
 */
function inherited(name: string, field: string): string | undefined {
  if (name === 'EphemeralContainer') return descriptions[`Container.${field}`];
  return isKind(name) ? descriptions[`*.${field}`] : undefined;
}

const isKind = (name: string): name is EditableKind => (writableKinds as readonly string[]).includes(name);

const fullName = (name: string): string =>
  ['ObjectMeta', 'OwnerReference', 'ManagedFieldsEntry'].includes(name)
    ? `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`
    : `io.k8s.api.${name === 'RuntimeClass' ? 'node' : 'core'}.v1.${name}`;

/** Returns the value of the `x-kubernetes-group-version-kind` extension. */
export const groupVersionKind = (kind: EditableKind) => {
  const apiVersion = apiVersionOfKind(kind);
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), kind, version: apiVersion.slice(slash + 1) };
};

/** Returns the definitions by full name. */
export const definitions = (): Readonly<Record<string, OpenApiSchema>> =>
  Object.fromEntries(
    [...namedSchemas].flatMap(([schema, name]) => {
      if (schema.type !== 'object') return [];
      const kinds = isKind(name) ? { 'x-kubernetes-group-version-kind': [groupVersionKind(name)] } : {};
      return [[fullName(name), { ...convertObject(schema, name), ...kinds }] as const];
    }),
  );

/**
 * Converts a schema to JSON. Version 2 allows other members next to a reference; in version 3 the reference must be
 * wrapped in `allOf`.
 */
function toJson(
  { reference, properties, additionalProperties, items, ...rest }: OpenApiSchema,
  version: 2 | 3,
): object {
  const prefix = version === 2 ? '#/definitions/' : '#/components/schemas/';
  const $ref = `${prefix}${reference ?? ''}`;
  const wrapped = version === 3 && Object.keys(rest).length > 0;
  return {
    ...rest,
    ...(reference === undefined ? {} : wrapped ? { allOf: [{ $ref }] } : { $ref }),
    ...(items ? { items: toJson(items, version) } : {}),
    ...(additionalProperties ? { additionalProperties: toJson(additionalProperties, version) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, toJson(property, version)]),
          ),
        }
      : {}),
  };
}

const definitionsAsJson = (version: 2 | 3): object =>
  Object.fromEntries(Object.entries(definitions()).map(([name, schema]) => [name, toJson(schema, version)]));

/** A writable kind, with the path of its objects. */
export interface DescribedPath {
  readonly path: string;
  readonly kind: EditableKind;
}

/** Returns the paths that support PATCH. */
export const describedPaths = (): readonly DescribedPath[] =>
  writableKinds.map((kind) => {
    const { resource, namespaced } = resourceDefinitions.find((definition) => definition.kind === kind) ?? {
      resource: '',
      namespaced: false,
    };
    const apiVersion = apiVersionOfKind(kind);
    return {
      kind,
      path:
        `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/${namespaced ? 'namespaces/{namespace}/' : ''}` +
        `${resource}/{name}`,
    };
  });

/** The query parameters of write operations that clients look up in the document. */
export const writeParameters: readonly string[] = ['dryRun', 'fieldManager', 'fieldValidation'];

export const documentInfo = { title: 'Kubernetes', version: kubernetesVersion } as const;

const queryParameters = (typed: (type: string) => object): readonly object[] =>
  writeParameters.map((name) => ({ name, in: 'query', uniqueItems: true, ...typed('string') }));

/** Returns the OpenAPI 2.0 document. */
export const openApiV2 = (): unknown => ({
  swagger: '2.0',
  info: documentInfo,
  paths: Object.fromEntries(
    describedPaths().map(({ path, kind }) => [
      path,
      {
        patch: {
          parameters: queryParameters((type) => ({ type })),
          responses: { 200: { description: 'OK' } },
          'x-kubernetes-group-version-kind': groupVersionKind(kind),
        },
      },
    ]),
  ),
  definitions: definitionsAsJson(2),
});

/** Returns the OpenAPI 3.0 document of a group version, such as `v1` or `node.k8s.io/v1`. */
export const openApiV3 = (apiVersion: string): unknown => ({
  openapi: '3.0.0',
  info: documentInfo,
  paths: Object.fromEntries(
    describedPaths()
      .filter(({ kind }) => apiVersionOfKind(kind) === apiVersion)
      .map(({ path, kind }) => {
        const content = { 'application/json': { schema: { $ref: `#/components/schemas/${fullName(kind)}` } } };
        const answer = {
          responses: { 200: { description: 'OK', content } },
          'x-kubernetes-group-version-kind': groupVersionKind(kind),
        };
        return [
          path,
          {
            get: { 'x-kubernetes-action': 'get', ...answer },
            patch: {
              'x-kubernetes-action': 'patch',
              parameters: queryParameters((type) => ({ schema: { type } })),
              ...answer,
            },
          },
        ];
      }),
  ),
  components: { schemas: definitionsAsJson(3) },
});
