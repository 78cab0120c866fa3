/**
 * Parses simulation documents from YAML or JSON. Errors have the wording of the Kubernetes API and a position in the
 * text.
 */
import {
  createLocator,
  type FieldError,
  formatFieldError,
  type ManifestError,
  type ParseLimits,
  readDocuments,
} from '@podscope/k8s';
import type { z } from 'zod';
import { operations } from '../operations.ts';
import { type SimulationSettings, simulationDocumentSchema } from './schema.ts';

const limits: ParseLimits = {
  subject: 'the document',
  maxBytes: 1_048_576,
  maxDocuments: 1,
  maxDepth: 64,
  maxAliasCount: 100,
};

/** The members whose keys the user defines, for example `scripts[shop/app]`. */
const maps = new Set(['scripts', 'latencies', 'repositories', 'env', 'files']);

/** Formats a path, for example `registries[0].rateLimit.pulls`. */
const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) =>
      typeof part === 'number' || maps.has(String(path[index - 1])) ? `[${String(part)}]` : `.${String(part)}`,
    )
    .join('')
    .replace(/^\./, '');

const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Returns the field errors of a zod issue. An error with `unknown` names a member that doesn't exist. */
function fieldErrorsOf(issue: z.core.$ZodIssue): readonly (FieldError | { readonly unknown: string })[] {
  const field = fieldOf(issue.path);
  const value = issue.input;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => ({ key, name: fieldOf([...issue.path, key]) }));
    // Of these maps, only `latencies` has a fixed set of keys.
    return issue.path.at(-1) === 'latencies'
      ? names.map(({ key, name }) => ({
          type: 'NotSupported',
          field: name,
          value: key,
          detail: `supported values: ${listed(operations)}`,
        }))
      : names.map(({ name }) => ({ unknown: name }));
  }
  if (issue.code === 'invalid_key')
    return [{ type: 'Invalid', field, value: issue.path.at(-1), detail: issue.issues[0]?.message ?? issue.message }];
  if (value === undefined) return [{ type: 'Required', field }];
  if (issue.code === 'invalid_value')
    return [{ type: 'NotSupported', field, value, detail: `supported values: ${listed(issue.values)}` }];
  if (issue.code === 'invalid_type') {
    const wanted = issue.expected === 'record' ? 'object' : issue.expected === 'int' ? 'integer' : issue.expected;
    return [
      {
        type: 'TypeInvalid',
        field,
        value: typeOf(value),
        detail: `${field === '' ? 'the document' : field} must be of type ${wanted}`,
      },
    ];
  }
  if (issue.code === 'too_small' && issue.origin !== 'array' && issue.origin !== 'string')
    return [
      {
        type: 'Invalid',
        field,
        value,
        detail: `must be greater than ${issue.inclusive ? 'or equal to ' : ''}${issue.minimum}`,
      },
    ];
  if (issue.code === 'too_big')
    return [{ type: 'Invalid', field, value, detail: `must be less than or equal to ${issue.maximum}` }];
  return [{ type: 'Invalid', field, value, detail: issue.message }];
}

/** The parsed document, or its errors. */
export type ReadSimulation =
  | { readonly settings: SimulationSettings; readonly errors: readonly [] }
  | { readonly settings?: undefined; readonly errors: readonly ManifestError[] };

/** Parses a document. An empty text is a valid document without settings. */
export function readSimulationDocument(text: string): ReadSimulation {
  const { documents, errors } = readDocuments(text, limits);
  if (errors.length > 0) return { errors };
  const [document] = documents;
  const parsed = simulationDocumentSchema.safeParse(document?.data ?? {}, { reportInput: true });
  if (parsed.success) return { settings: parsed.data, errors: [] };
  const locate = document ? createLocator(document.yaml, document.lines, []).locate : () => undefined;
  const wrong = parsed.error.issues.flatMap(fieldErrorsOf).map((error) => {
    const field = 'unknown' in error ? error.unknown : error.field;
    const message =
      'unknown' in error ? `unknown field "${error.unknown}"` : formatFieldError(error).replace(/^: /, '');
    return { message, field, ...(locate(field) ?? { line: 1, column: 1 }) };
  });
  return { errors: wrong.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}
