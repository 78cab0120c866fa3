/**
 * Lists an object's fields by its schema and compares the fields of two objects. Upstream: structured-merge-diff typed.
 */

import { isRecord } from '@podscope/base';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { childPath, type FieldPath, type FieldSet } from './field-set.ts';

/** A part of a value: a field of an object, a key of a map, or an item of an associative list or set. */
interface Part {
  readonly key: string;
  readonly value: unknown;
  readonly schema: Schema;
}

const open: Schema = { type: 'any' };

/** Returns the key that identifies an item in its list. Upstream: keyByFields (structured-merge-diff). */
export function itemKey(schema: ListSchema, item: unknown): string | undefined {
  if (schema.mergeKey === undefined) return `v:${JSON.stringify(item)}`;
  if (!isRecord(item)) return undefined;
  const keys = schema.listKeys ?? { [schema.mergeKey]: undefined };
  const entries = Object.entries(keys)
    .map(([name, assumed]) => [name, item[name] ?? assumed] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `k:${JSON.stringify(Object.fromEntries(entries))}`;
}

/** Returns the parts of a value; undefined for an atomic value. */
function partsOf(schema: Schema, value: unknown): readonly Part[] | undefined {
  if (schema.type === 'object' || schema.type === 'map') {
    if (schema.atomic || !isRecord(value)) return undefined;
    return Object.entries(value)
      .filter(([, field]) => field !== null && field !== undefined)
      .map(([name, field]) => ({ key: `f:${name}`, value: field, schema: fieldSchema(schema, name) }));
  }
  if (schema.type !== 'array' || schema.patch === 'replace' || !Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const key = itemKey(schema, item);
    return key === undefined ? [] : [{ key, value: item, schema: schema.items }];
  });
}

/** Returns the schema of a field or key. */
export function fieldSchema(schema: Schema, name: string): Schema {
  if (schema.type === 'map') return schema.values;
  return (schema.type === 'object' && Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined) ?? open;
}

const isEmptyMap = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;

/** Returns every field that a value contains. Upstream: typed.TypedValue.ToFieldSet (structured-merge-diff). */
export function fieldsOf(schema: Schema, value: unknown): FieldSet {
  const set = new Set<FieldPath>();
  const visit = (current: Schema, data: unknown, path: FieldPath): void => {
    const parts = partsOf(current, data);
    if (!parts) {
      set.add(path);
      return;
    }
    for (const part of parts) {
      const below = childPath(path, part.key);
      // Items of lists, keys of maps, and empty objects and lists are fields themselves.
      if (!part.key.startsWith('f:') || current.type === 'map' || isEmptyMap(part.value)) set.add(below);
      visit(part.schema, part.value, below);
    }
  };
  visit(schema, value, '');
  set.delete('');
  return set;
}

/** The differences between two versions of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Returns the added, modified and removed fields. Upstream: typed.TypedValue.Compare (structured-merge-diff). */
export function compareFields(schema: Schema, before: unknown, after: unknown): Comparison {
  const added = new Set<FieldPath>();
  const modified = new Set<FieldPath>();
  const removed = new Set<FieldPath>();
  /**
   * Adds all fields of a value that only one of the objects contains, and the fields of the objects and lists inside
   * it.
   */
  const collect = (set: Set<FieldPath>, current: Schema, data: unknown, path: FieldPath): void => {
    set.add(path);
    for (const part of partsOf(current, data) ?? []) collect(set, part.schema, part.value, childPath(path, part.key));
  };
  const visit = (current: Schema, left: unknown, right: unknown, path: FieldPath): void => {
    const leftParts = partsOf(current, left);
    const rightParts = partsOf(current, right);
    if (!leftParts || !rightParts) {
      if (!semanticEqual(left, right)) modified.add(path);
      return;
    }
    const old = new Map(leftParts.map((part) => [part.key, part]));
    const kept = new Set<string>();
    for (const part of rightParts) {
      const match = old.get(part.key);
      kept.add(part.key);
      if (match) visit(part.schema, match.value, part.value, childPath(path, part.key));
      else collect(added, part.schema, part.value, childPath(path, part.key));
    }
    for (const part of leftParts)
      if (!kept.has(part.key)) collect(removed, part.schema, part.value, childPath(path, part.key));
  };
  visit(schema, before, after, '');
  return { added, modified, removed };
}
