/**
 * Merges a configuration into an object and removes fields from an object, according to its schema. Upstream:
 * structured-merge-diff typed.
 */

import { isRecord } from '@podscope/base';
import { orderElements } from '../patch/element-order.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { childPath, type FieldPath, isWithin } from './field-set.ts';
import { fieldSchema, itemKey } from './structure.ts';

/**
 * Returns the live object after overriding its fields with those of the configuration. Upstream: typed.TypedValue.Merge
 * (structured-merge-diff).
 */
export function mergeConfiguration(schema: Schema, live: unknown, configuration: unknown): unknown {
  if (
    (schema.type === 'object' || schema.type === 'map') &&
    !schema.atomic &&
    isRecord(live) &&
    isRecord(configuration)
  ) {
    const said = Object.entries(configuration).filter(([, value]) => value !== null && value !== undefined);
    const merged = said.map(
      ([name, value]) => [name, mergeConfiguration(fieldSchema(schema, name), live[name], value)] as const,
    );
    return { ...live, ...Object.fromEntries(merged) };
  }
  if (schema.type === 'array' && schema.patch === 'merge' && Array.isArray(live) && Array.isArray(configuration))
    return mergeItems(schema, live, configuration);
  return configuration;
}

function mergeItems(
  schema: ListSchema,
  live: readonly unknown[],
  configuration: readonly unknown[],
): readonly unknown[] {
  const keyOf = (item: unknown): string | undefined => itemKey(schema, item);
  const items = new Map(live.map((item) => [keyOf(item), item]));
  for (const item of configuration) {
    const key = keyOf(item);
    items.set(key, items.has(key) ? mergeConfiguration(schema.items, items.get(key), item) : item);
  }
  return orderElements([...items.values()], configuration.map(keyOf), live.map(keyOf), keyOf);
}

/**
 * Returns the object without the fields for which `isRemoved` is true. Objects and lists that become empty are removed
 * as well. Upstream: typed.TypedValue.RemoveItems (structured-merge-diff).
 */
export function withoutFields(schema: Schema, value: unknown, isRemoved: (path: FieldPath) => boolean): unknown {
  const prune = (current: Schema, data: unknown, path: FieldPath): unknown => {
    if ((current.type === 'object' || current.type === 'map') && !current.atomic && isRecord(data)) {
      const entries = Object.entries(data);
      const kept = entries
        .filter(([name]) => !isRemoved(childPath(path, `f:${name}`)))
        .map(
          ([name, field]) =>
            [name, prune(fieldSchema(current, name), field, childPath(path, `f:${name}`)), field] as const,
        )
        .filter(([, pruned, field]) => pruned !== undefined || field === undefined);
      return entries.length > 0 && kept.length === 0 && path !== ''
        ? undefined
        : Object.fromEntries(kept.map(([name, pruned]) => [name, pruned]));
    }
    if (current.type === 'array' && current.patch === 'merge' && Array.isArray(data)) {
      const kept = data.flatMap((item: unknown) => {
        const below = childPath(path, itemKey(current, item) ?? '');
        return isRemoved(below) ? [] : [prune(current.items, item, below) ?? item];
      });
      return data.length > 0 && kept.length === 0 ? undefined : kept;
    }
    return data;
  };
  return prune(schema, value, '');
}

/** Returns true if the set contains `path` or a path below it. */
export const coversAny = (set: Iterable<FieldPath>, path: FieldPath): boolean => {
  for (const each of set) if (isWithin(each, path)) return true;
  return false;
};
