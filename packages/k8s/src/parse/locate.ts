/** Maps field paths to positions in the text. */

import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from 'yaml';
import type { FieldError } from '../field-error.ts';
import { type FieldPathSegment, parseFieldPath } from './field-path.ts';
import type { Range } from './manifest-error.ts';

/** Locates the fields of one object. */
export interface Locator {
  /**
   * Returns the range of a field; if the text doesn't contain it, the range of the nearest ancestor. The range covers
   * the value of a scalar, and the key of any other field.
   */
  locate: (fieldPath: string) => Range | undefined;
  /**
   * Returns the range of an error. If the error names only a key or a value of a map (labels, annotations), returns the
   * range of that entry.
   */
  locateError: (error: FieldError) => Range | undefined;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly exact: boolean;
}

/** Returns a locator for the object at `root` of a document. */
export function createLocator(
  document: Document.Parsed,
  lines: LineCounter,
  root: readonly FieldPathSegment[],
): Locator {
  const toRange = (place: Place | undefined): Range | undefined => {
    if (!place) return undefined;
    const start = lines.linePos(place.start);
    const end = lines.linePos(place.end);
    return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col, exact: place.exact };
  };
  const locate = (segments: readonly FieldPathSegment[]): Place | undefined =>
    findPlace(document, [...root, ...segments]);
  return {
    locate: (fieldPath) => toRange(locate(parseFieldPath(fieldPath))),
    locateError: ({ field, value }) => {
      const segments = parseFieldPath(field);
      const entry = typeof value === 'string' ? findEntry(document, [...root, ...segments], value) : undefined;
      return toRange(entry ?? locate(segments));
    },
  };
}

function findPlace(document: Document.Parsed, segments: readonly FieldPathSegment[]): Place | undefined {
  let node: Node | null = document.contents;
  let place = placeOf(node);
  for (const segment of segments) {
    const step = stepInto(document, node, segment);
    if (!step) return place && { ...place, exact: false };
    node = step.node;
    place = step.place;
  }
  return place;
}

/** Returns the entry of the map at a path whose key or value equals the text. */
function findEntry(document: Document.Parsed, segments: readonly FieldPathSegment[], text: string): Place | undefined {
  let node: Node | null = document.contents;
  for (const segment of segments) {
    const step = stepInto(document, node, segment);
    if (!step) return undefined;
    node = step.node;
  }
  const map = resolve(document, node);
  if (!isMap(map)) return undefined;
  for (const { key, value } of map.items) {
    if (isScalar(key) && key.value === text) return placeOf(key);
    if (isScalar(value) && value.value === text) return placeOf(value);
  }
  return undefined;
}

interface Step {
  readonly node: Node | null;
  readonly place: Place | undefined;
}

function stepInto(document: Document.Parsed, node: Node | null, segment: FieldPathSegment): Step | undefined {
  const target = resolve(document, node);
  if (isSeq(target)) {
    const item = typeof segment === 'number' ? target.items[segment] : undefined;
    return isNode(item) ? { node: item, place: placeOf(item) } : undefined;
  }
  if (!isMap(target)) return undefined;
  const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  return pair && { node: isNode(pair.value) ? pair.value : null, place: placeOfPair(pair) };
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function resolve(document: Document.Parsed, node: Node | null): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node;
}

/** Returns the range of a scalar value; if the value is a list, a map or empty, the range of the key. */
function placeOfPair({ key, value }: Pair): Place | undefined {
  const own = isScalar(value) || isAlias(value) ? placeOf(value) : undefined;
  if (own && own.end > own.start) return own;
  return isScalar(key) ? placeOf(key) : undefined;
}

function placeOf(node: Node | null): Place | undefined {
  if (!node?.range) return undefined;
  const [start, end] = node.range;
  // Only the first line of a list or map is marked, so that an editor doesn't underline all of it.
  const stop = isMap(node) && isScalar(node.items[0]?.key) ? (node.items[0].key.range?.[1] ?? end) : end;
  return { start, end: isSeq(node) ? Math.min(stop, start + 1) : stop, exact: true };
}
