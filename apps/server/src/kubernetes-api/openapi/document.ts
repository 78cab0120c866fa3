/**
 * The API described for clients: kubectl checks manifests against it, merges lists by it, explains fields from it, and looks here whether
 * dry runs and strict validation are supported. Made from the schemas that the server itself decodes with.
 */
import { type EditableKind, kubernetesVersion, resourceDefinitions } from '@podscope/cluster';
import { type ObjectSchema, type ScalarSchema, type Schema, writableKinds, writableSchemas } from '@podscope/k8s';

/** A JSON schema as OpenAPI knows it. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
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

const convertObject = ({ fields }: ObjectSchema): OpenApiSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convert(field)])),
});

/** Group, version and kind, as the extension of that name carries it. */
export const groupVersionKind = (kind: string) => ({ group: '', kind, version: 'v1' });

/** The definitions by name. */
export const definitions = (): Readonly<Record<string, OpenApiSchema>> =>
  Object.fromEntries(
    writableKinds.map((kind) => [
      `io.k8s.api.core.v1.${kind}`,
      { ...convertObject(writableSchemas[kind]), 'x-kubernetes-group-version-kind': [groupVersionKind(kind)] },
    ]),
  );

/** One writable kind and the path of its objects. */
export interface DescribedPath {
  readonly path: string;
  readonly kind: EditableKind;
}

/** The paths that can be patched. */
export const describedPaths = (): readonly DescribedPath[] =>
  writableKinds.map((kind) => {
    const { resource, namespaced } = resourceDefinitions.find((definition) => definition.kind === kind) ?? { resource: '', namespaced: false };
    return { kind, path: `/api/v1/${namespaced ? 'namespaces/{namespace}/' : ''}${resource}/{name}` };
  });

/** Query parameters of a writing operation that clients look for. */
export const writeParameters: readonly string[] = ['dryRun', 'fieldManager', 'fieldValidation'];

export const documentInfo = { title: 'Kubernetes', version: kubernetesVersion } as const;

const queryParameters = (typed: (type: string) => object): readonly object[] =>
  writeParameters.map((name) => ({ name, in: 'query', uniqueItems: true, ...typed('string') }));

/** OpenAPI 2.0 as JSON. */
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
  definitions: definitions(),
});

/** OpenAPI 3.0 of the core group, as JSON. */
export const openApiV3 = (): unknown => ({
  openapi: '3.0.0',
  info: documentInfo,
  paths: Object.fromEntries(
    describedPaths().map(({ path, kind }) => {
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/io.k8s.api.core.v1.${kind}` } } };
      const answer = { responses: { 200: { description: 'OK', content } }, 'x-kubernetes-group-version-kind': groupVersionKind(kind) };
      return [
        path,
        {
          get: { 'x-kubernetes-action': 'get', ...answer },
          patch: { 'x-kubernetes-action': 'patch', parameters: queryParameters((type) => ({ schema: { type } })), ...answer },
        },
      ];
    }),
  ),
  components: { schemas: definitions() },
});
