/**
 * Decodes and validates the objects that clients send: kind, fields and types. Upstream: strict decoding in apiserver
 * endpoints/handlers (v1.36).
 */
import { badRequest, type EditableKind, type StoredKinds } from '@podscope/apiserver';
import { apiVersionOfKind, decodeObject, formatFieldError, formatUnknownFields, writableSchemas } from '@podscope/k8s';
import type { Request, Response } from 'express';
import { textParameter } from './parameters.ts';

/** How unknown fields are handled. Upstream: metav1.CreateOptions.fieldValidation. */
type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

function fieldValidation(request: Request): FieldValidation {
  const text = textParameter(request, 'fieldValidation') ?? 'Warn';
  if (text === 'Ignore' || text === 'Warn' || text === 'Strict') return text;
  throw badRequest(
    `fieldValidation: Unsupported value: ${JSON.stringify(text)}: supported values: "Ignore", "Warn", "Strict"`,
  );
}

/** The maximum number of warnings in a response. */
const maxWarnings = 20;

/** Adds a warning for every unknown field, which `kubectl` prints. Upstream: warning.AddWarning. */
function warn(response: Response, fields: readonly string[]): void {
  // The response was already sent if a rerun of the simulation repeats the change.
  if (response.headersSent) return;
  response.setHeader(
    'Warning',
    fields
      .slice(0, maxWarnings)
      .map((field) => `299 - "unknown field \\"${field.replaceAll(/[^\x20-\x7e]|["\\]/g, '?')}\\""`),
  );
}

/**
 * Returns the decoded object of a kind.
 * @throws ApiError BadRequest that names the invalid field
 */
export function decode<K extends EditableKind>(
  kind: K,
  data: unknown,
  request: Request,
  response: Response,
): StoredKinds[K] {
  const validation = fieldValidation(request);
  const apiVersion = apiVersionOfKind(kind);
  const version = apiVersion.replace(/^.*\//, '');
  const prefix = `${kind} in version "${version}" cannot be handled as a ${kind}: `;
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw badRequest(`${prefix}the body must be an object`);
  const given = data as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const typeMeta = { apiVersion: given.apiVersion ?? apiVersion, kind: given.kind ?? kind };
  if (typeMeta.apiVersion !== apiVersion || typeMeta.kind !== kind) {
    throw badRequest(
      `the API version in the data (${JSON.stringify(typeMeta.apiVersion)}, ` +
        `Kind=${JSON.stringify(typeMeta.kind)}) does not match the expected API version (${apiVersion}, Kind=${kind})`,
    );
  }
  const { value, unknownFields, errors } = decodeObject(writableSchemas[kind], { metadata: {}, ...data, ...typeMeta });
  if (errors.length > 0) throw badRequest(`${prefix}${errors.map(formatFieldError).join(', ')}`);
  if (unknownFields.length > 0 && validation === 'Strict')
    throw badRequest(`${prefix}${formatUnknownFields(unknownFields)}`);
  if (unknownFields.length > 0 && validation === 'Warn') warn(response, unknownFields);
  // The cast is safe: the kind's schema has checked every field.
  return value as unknown as StoredKinds[K];
}

/**
 * Returns the decoded configuration of a server-side apply. Doesn't add defaults, because only the given fields are
 * applied. Upstream: the typed conversion of managedfields (apimachinery, v1.36).
 * @throws ApiError BadRequest for unknown fields
 */
export function decodeConfiguration(
  kind: EditableKind,
  data: unknown,
  namespace: string | undefined,
): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw badRequest(`the body must be a ${kind}`);
  const configuration = data as Readonly<Record<string, unknown>>;
  if (configuration.apiVersion !== apiVersionOfKind(kind) || configuration.kind !== kind) {
    throw badRequest(`invalid object type: ${String(configuration.apiVersion)}, Kind=${String(configuration.kind)}`);
  }
  const { unknownFields, errors } = decodeObject(writableSchemas[kind], { metadata: {}, ...configuration });
  const faults = [
    ...unknownFields.map((field) => `.${field}: field not declared in schema`),
    ...errors.map((error) => `.${formatFieldError(error)}`),
  ];
  if (faults.length === 0) return configuration;
  const { name } = (configuration.metadata ?? {}) as { readonly name?: unknown };
  const object = `${namespace === undefined ? '' : `${namespace}/`}${typeof name === 'string' ? name : ''}`;
  throw badRequest(
    `failed to create typed patch object (${object}; ` +
      `${apiVersionOfKind(kind) === 'v1' ? '/v1' : apiVersionOfKind(kind)}, Kind=${kind}): ` +
      (faults.length > 1 ? `errors:\n  ${faults.join('\n  ')}` : faults.join('')),
  );
}
