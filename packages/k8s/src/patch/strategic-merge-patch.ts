/**
 * Implements strategic merge patch. It is a JSON merge patch that merges lists by key (containers by name) or as sets
 * (finalizers), and has directives for other changes. `kubectl apply`, `edit` and `patch` send it. Upstream:
 * apimachinery strategicpatch (v1.36).
 */

import { isRecord } from '@podscope/base';
import type { ListSchema, ObjectSchema, Schema } from '../schema/schema.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { orderElements } from './element-order.ts';
import { PatchError } from './patch-error.ts';

type Data = Readonly<Record<string, unknown>>;

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList/';
const SET_ELEMENT_ORDER = '$setElementOrder/';

/**
 * Applies a patch according to the schema of the object's kind and returns the result. The arguments aren't changed.
 * Upstream: strategicpatch.StrategicMergeMapPatch (apimachinery, v1.36).
 * @throws PatchError
 */
export function applyStrategicMergePatch(original: Data, patch: unknown, schema: ObjectSchema): Data {
  if (!isRecord(patch)) throw new PatchError('error decoding patch: a strategic merge patch is an object');
  return mergeObject(original, patch, schema);
}

function mergeObject(original: Data, patch: Data, schema: Schema): Data {
  const { [DIRECTIVE]: directive, [RETAIN_KEYS]: retainKeys, ...fields } = patch;
  if (directive === 'replace') return mergeObject({}, fields, schema);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw new PatchError(`unknown patch type found: ${JSON.stringify(directive)}`);
  const result = new Map(Object.entries(retain(original, fields, retainKeys)));
  for (const name of fieldNames(fields)) {
    const value = fields[name];
    const before = result.get(name);
    const fieldSchema = schemaOfField(schema, name);
    if (value === null) {
      result.delete(name);
      continue;
    }
    const directives = {
      order: listOf(fields[`${SET_ELEMENT_ORDER}${name}`]),
      remove: listOf(fields[`${DELETE_FROM_PRIMITIVE_LIST}${name}`]),
    };
    if (value === undefined && !Array.isArray(before)) continue;
    result.set(name, mergeValue(before, value, fieldSchema, directives));
  }
  return Object.fromEntries(result);
}

/** Returns the names of the fields that the patch changes. A directive for a list counts as a change of that list. */
function fieldNames(fields: Data): Set<string> {
  return new Set(
    Object.keys(fields).map((key) => {
      for (const prefix of [SET_ELEMENT_ORDER, DELETE_FROM_PRIMITIVE_LIST])
        if (key.startsWith(prefix)) return key.slice(prefix.length);
      return key;
    }),
  );
}

interface ListDirectives {
  readonly order?: readonly unknown[];
  readonly remove?: readonly unknown[];
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new PatchError('the value of a list directive must be a list');
  return value;
}

/** Applies `$retainKeys`, which removes all fields that it doesn't list. That clears the previous member of a union. */
function retain(original: Data, fields: Data, retainKeys: unknown): Data {
  if (retainKeys === undefined) return original;
  const keys = listOf(retainKeys) ?? [];
  for (const key of Object.keys(fields)) {
    if (fields[key] !== null && !key.startsWith('$') && !keys.includes(key)) {
      throw new PatchError(`retainKeys list must contain all the keys present in the patch: "${key}" is missing`);
    }
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.includes(key)));
}

function schemaOfField(schema: Schema, name: string): Schema {
  if (schema.type === 'map') return schema.values;
  const field = schema.type === 'object' && Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
  return field ?? { type: 'any' };
}

function mergeValue(before: unknown, value: unknown, schema: Schema, directives: ListDirectives): unknown {
  if (isRecord(value)) return mergeObject(isRecord(before) ? before : {}, value, schema);
  if (value !== undefined && !Array.isArray(value)) return value;
  const original: readonly unknown[] = Array.isArray(before) ? before : [];
  if (schema.type !== 'array' || schema.patch === 'replace')
    return value === undefined ? original : withoutDirectives(value, schema);
  return schema.mergeKey === undefined
    ? mergeSet(original, value ?? [], directives)
    : mergeList(original, value ?? [], schema, schema.mergeKey, directives);
}

/** Returns a list that replaces the original list, without the directives in it. */
function withoutDirectives(list: readonly unknown[], schema: Schema): unknown[] {
  const items: Schema = schema.type === 'array' ? schema.items : { type: 'any' };
  return list
    .filter((item) => !(isRecord(item) && DIRECTIVE in item))
    .map((item) => (isRecord(item) ? mergeObject({}, item, items) : item));
}

/** Merges lists of scalars as sets. */
function mergeSet(
  original: readonly unknown[],
  patch: readonly unknown[],
  { order, remove = [] }: ListDirectives,
): unknown[] {
  const kept = original.filter((item) => !remove.includes(item));
  const merged = [...new Set([...kept, ...patch])];
  return order ? orderElements(merged, order, original, (item) => item) : merged;
}

/** Merges lists of objects by their merge key. */
function mergeList(
  original: readonly unknown[],
  patch: readonly unknown[],
  schema: ListSchema,
  mergeKey: string,
  { order }: ListDirectives,
): unknown[] {
  const { replace, deletions, changes } = sortPatchItems(patch, mergeKey);
  if (replace) return changes.map((change) => mergeObject({}, change, schema.items));
  const merged: unknown[] = original.filter(
    (item) => !deletions.some((key) => semanticEqual(keyOf(item, mergeKey), key)),
  );
  for (const change of changes) {
    const key = change[mergeKey];
    const position = merged.findIndex((item) => semanticEqual(keyOf(item, mergeKey), key));
    const before = merged[position];
    const item = mergeObject(isRecord(before) ? before : {}, change, schema.items);
    if (position === -1) merged.push(item);
    else merged[position] = item;
  }
  if (!order) return merged;
  const wanted = order.map((item) => keyOf(item, mergeKey));
  const missing = changes.find((change) => !wanted.includes(change[mergeKey]));
  if (missing)
    throw new PatchError(
      `the order in patch list doesn't match the ${SET_ELEMENT_ORDER} list: ${mergeKey} ` +
        `${JSON.stringify(missing[mergeKey])} is missing`,
    );
  return orderElements(
    merged,
    wanted,
    original.map((item) => keyOf(item, mergeKey)),
    (item) => keyOf(item, mergeKey),
  );
}

function keyOf(item: unknown, mergeKey: string): unknown {
  return isRecord(item) ? item[mergeKey] : undefined;
}

interface PatchItems {
  /** True if the items contain `$patch: replace`. */
  readonly replace: boolean;
  readonly deletions: readonly unknown[];
  readonly changes: readonly Data[];
}

function sortPatchItems(patch: readonly unknown[], mergeKey: string): PatchItems {
  let replace = false;
  const deletions: unknown[] = [];
  const changes: Data[] = [];
  for (const item of patch) {
    if (!isRecord(item)) throw new PatchError(`the items of this list must be objects with ${mergeKey}`);
    const { [DIRECTIVE]: directive, ...rest } = item;
    const isReplaceMarker = directive === 'replace' && Object.keys(rest).length === 0;
    if (!isReplaceMarker && rest[mergeKey] === undefined) {
      throw new PatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
    }
    if (directive === 'delete') deletions.push(rest[mergeKey]);
    else if (directive === 'replace') {
      replace = true;
      if (!isReplaceMarker) changes.push(rest);
    } else changes.push(item);
  }
  return { replace, deletions, changes };
}
