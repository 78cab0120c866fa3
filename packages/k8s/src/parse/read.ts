/**
 * Reads valid objects from a text, for the editor, the file source and the command line. Every error has a position in
 * the text.
 */

import type { FieldError } from '../field-error.ts';
import { formatFieldError } from '../field-error.ts';
import { formatUnknownFields } from '../schema/decode.ts';
import {
  apiVersionOfKind,
  isManifestKind,
  type ManifestKind,
  manifestSchemas,
  unsupportedKindHint,
} from '../schema/kinds.ts';
import type { Schema } from '../schema/schema.ts';
import type { Pod } from '../types.ts';
import type { ParseLimits } from './documents.ts';
import { parseFieldPath } from './field-path.ts';
import type { ManifestError } from './manifest-error.ts';
import { type ManifestObject, parseManifests } from './manifests.ts';
import { type ManifestObjects, type ReadObjectOptions, readObject } from './read-object.ts';
import { nearestName } from './suggest.ts';

/** How many errors of an object are reported, because each one has to be located in the text. */
const MAX_ERRORS_PER_OBJECT = 100;

export interface ReadOptions extends ReadObjectOptions {
  readonly limits?: Partial<ParseLimits>;
}

export interface ReadManifests {
  /** The valid objects with their defaults, in the order of the text. */
  readonly objects: readonly SoundObject[];
  readonly errors: readonly ManifestError[];
}

/** A valid object and its position. */
export interface SoundObject {
  readonly object: ManifestObjects[ManifestKind];
  readonly source: ManifestObject;
}

/** Parses a text into objects, sets their defaults and validates them. */
export function readManifests(text: string, options: ReadOptions = {}): ReadManifests {
  const parsed = parseManifests(text, options.limits);
  const objects: SoundObject[] = [];
  const errors: ManifestError[] = [...parsed.errors];
  for (const source of parsed.objects) {
    if (!isManifestKind(source.kind) || source.apiVersion !== apiVersionOfKind(source.kind)) {
      errors.push(unsupportedKind(source));
      continue;
    }
    const { object, unknownFields, errors: faults } = readObject(source.kind, source.object, options);
    const schema = manifestSchemas[source.kind];
    const found = [
      ...unknownFields.slice(0, MAX_ERRORS_PER_OBJECT).map((field) => unknownField(field, source, schema)),
      ...faults.slice(0, MAX_ERRORS_PER_OBJECT).map((fault) => fieldError(fault, source)),
    ];
    const omitted = unknownFields.length + faults.length - found.length;
    if (omitted > 0)
      found.push({ message: `${source.kind} has ${omitted} more errors`, document: source.document, ...source.start });
    if (object && found.length === 0) objects.push({ object, source });
    errors.push(...found);
  }
  return { objects, errors: errors.toSorted(byPlace) };
}

export interface ReadPods extends ReadManifests {
  readonly pods: readonly Pod[];
}

/** Like {@link readManifests}, with the pods as a separate list. */
export function readPods(text: string, options: ReadOptions = {}): ReadPods {
  const read = readManifests(text, options);
  return { ...read, pods: read.objects.flatMap(({ object }) => (isPod(object) ? [object] : [])) };
}

function isPod(object: ManifestObjects[ManifestKind]): object is Pod {
  return object.kind === 'Pod';
}

function byPlace(a: ManifestError, b: ManifestError): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function unsupportedKind({ kind, apiVersion, document, locate }: ManifestObject): ManifestError {
  return {
    message: `no matches for kind "${kind}" in version "${apiVersion}"`,
    hint: isManifestKind(kind) ? `${kind} is of version ${apiVersionOfKind(kind)}` : unsupportedKindHint(kind),
    field: isManifestKind(kind) ? 'apiVersion' : 'kind',
    document,
    ...locate(isManifestKind(kind) ? 'apiVersion' : 'kind'),
  };
}

function unknownField(field: string, source: ManifestObject, schema: Schema): ManifestError {
  const segments = parseFieldPath(field);
  const nearest = nearestName(String(segments.at(-1)), fieldNames(schema, segments.slice(0, -1)));
  return {
    message: formatUnknownFields([field]),
    ...(nearest !== undefined && { hint: `did you mean "${nearest}"?` }),
    field,
    document: source.document,
    ...source.locate(field),
  };
}

/** Returns the field names that are valid for the object at a path. */
function fieldNames(schema: Schema, path: ReturnType<typeof parseFieldPath>): string[] {
  let current: Schema | undefined = schema;
  for (const segment of path) {
    if (current?.type === 'array') current = current.items;
    else if (current?.type === 'map') current = current.values;
    else if (current?.type === 'object') current = current.fields[segment];
  }
  return current?.type === 'object' ? Object.keys(current.fields) : [];
}

function fieldError(fault: FieldError, source: ManifestObject): ManifestError {
  const hint = hintOf(fault);
  return {
    message: formatFieldError(fault),
    ...(hint !== undefined && { hint }),
    field: fault.field,
    document: source.document,
    ...source.locateError(fault),
    cause: fault,
  };
}

function hintOf({ value, wanted }: FieldError): string | undefined {
  if (wanted === 'string') {
    if (value === 'boolean') return 'YAML reads yes, no, on, off, true and false as booleans: put the value in quotes';
    if (value === 'integer' || value === 'number') return 'put the number in quotes';
  }
  if (wanted === 'array') return 'write a list: each item on a line of its own after "- "';
  return undefined;
}
