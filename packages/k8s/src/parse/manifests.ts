/** Parses manifests into objects with positions, and splits lists. Doesn't decode the objects. */

import { isRecord } from '@podscope/base';
import { defaultParseLimits, type ParseLimits, readDocuments, type SourceDocument } from './documents.ts';
import type { FieldPathSegment } from './field-path.ts';
import { createLocator, type Locator } from './locate.ts';
import type { ManifestError, Position } from './manifest-error.ts';

/** An object of a manifest. Only its apiVersion and kind are known. */
export interface ManifestObject extends Locator {
  readonly object: Readonly<Record<string, unknown>>;
  readonly apiVersion: string;
  readonly kind: string;
  /** The number of the document in the text, from 1. */
  readonly document: number;
  /** The position at which the object begins. */
  readonly start: Position;
}

export interface ParsedManifests {
  readonly objects: readonly ManifestObject[];
  readonly errors: readonly ManifestError[];
}

/**
 * Parses YAML with one or more documents, or JSON, and splits lists. Returns the valid objects, and the errors of the
 * invalid ones.
 */
export function parseManifests(text: string, options: Partial<ParseLimits> = {}): ParsedManifests {
  const source = readDocuments(text, { ...defaultParseLimits, ...options });
  const collector: Collector = { objects: [], errors: [...source.errors] };
  for (const document of source.documents) {
    if (document.data !== null && document.data !== undefined) collect(document, document.data, [], collector);
  }
  return collector;
}

interface Collector {
  readonly objects: ManifestObject[];
  readonly errors: ManifestError[];
}

function collect(source: SourceDocument, data: unknown, root: readonly FieldPathSegment[], collector: Collector): void {
  const locator = createLocator(source.yaml, source.lines, root);
  const at = { document: source.index, ...locator.locate('') };
  if (!isRecord(data)) {
    const found = Array.isArray(data) ? 'a list' : `the text or number ${JSON.stringify(data)}`;
    collector.errors.push({ message: `expected an object with apiVersion and kind, found ${found}`, ...at });
    return;
  }
  const { apiVersion, kind, items } = data;
  const missing = [
    ...(typeof apiVersion === 'string' && apiVersion !== '' ? [] : ['apiVersion']),
    ...(typeof kind === 'string' && kind !== '' ? [] : ['kind']),
  ];
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || missing.length > 0) {
    for (const field of missing)
      collector.errors.push({ message: `${field} not set`, ...at, field, ...locator.locate(field) });
    return;
  }
  if (kind.endsWith('List') && Array.isArray(items)) {
    for (const [index, item] of items.entries())
      collect(source, withListKind(item, apiVersion, kind), [...root, 'items', index], collector);
    return;
  }
  collector.objects.push({
    object: data,
    apiVersion,
    kind,
    ...locator,
    document: source.index,
    start: { line: at.line ?? 1, column: at.column ?? 1 },
  });
}

/** Adds the kind to an item of a list like PodList, because its items don't contain it. */
function withListKind(item: unknown, apiVersion: string, listKind: string): unknown {
  if (!isRecord(item) || listKind === 'List') return item;
  return { apiVersion, kind: listKind.slice(0, -'List'.length), ...item };
}
