/**
 * Computes the patch from a live object to a manifest: it sets every field of the manifest and deletes the fields that
 * only the last applied manifest had. Other fields stay. Upstream: strategicpatch.CreateThreeWayMergePatch
 * (apimachinery, v1.36). Upstream's patch omits fields that are already equal; applying it has the same result.
 */
import { isRecord } from '@podscope/base';
import type { ListSchema, ObjectSchema, Schema } from '@podscope/k8s';

type Data = Readonly<Record<string, unknown>>;

/**
 * Returns the patch that turns the live object into the manifest. Without a last applied manifest, the patch is the
 * manifest itself and deletes nothing.
 */
export function threeWayPatch(schema: ObjectSchema, lastApplied: Data | undefined, manifest: Data): Data {
  return lastApplied === undefined ? manifest : patchObject(schema, lastApplied, manifest);
}

function patchValue(schema: Schema | undefined, last: unknown, next: unknown): unknown {
  if (isRecord(last) && isRecord(next)) return patchObject(schema, last, next);
  if (Array.isArray(last) && Array.isArray(next) && schema?.type === 'array' && schema.mergeKey !== undefined)
    return patchList(schema, schema.mergeKey, last, next);
  return next;
}

const fieldSchema = (schema: Schema | undefined, name: string): Schema | undefined => {
  if (schema?.type === 'object') return Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
  return schema?.type === 'map' ? schema.values : undefined;
};

function patchObject(schema: Schema | undefined, last: Data, next: Data): Data {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(last)) {
    const field = fieldSchema(schema, name);
    if (!Object.hasOwn(next, name)) entries.push([name, null]);
    else if (field?.type === 'array' && field.patch === 'merge' && field.mergeKey === undefined)
      entries.push(...removedFromSet(name, value, next[name]));
  }
  for (const [name, value] of Object.entries(next))
    entries.push([name, Object.hasOwn(last, name) ? patchValue(fieldSchema(schema, name), last[name], value) : value]);
  return Object.fromEntries(entries);
}

/**
 * Returns the values that the manifest no longer has in a list of scalars. The list is merged as a set, so the patch
 * names these values in `$deleteFromPrimitiveList`.
 */
function removedFromSet(name: string, last: unknown, next: unknown): [string, unknown][] {
  if (!Array.isArray(last) || !Array.isArray(next)) return [];
  const removed = last.filter((value) => !next.includes(value));
  return removed.length > 0 ? [[`$deleteFromPrimitiveList/${name}`, removed]] : [];
}

/**
 * Returns the patch of a list of objects. The list is merged by its key, and removed objects are marked with `$patch:
 * delete`.
 */
function patchList(
  schema: ListSchema,
  mergeKey: string,
  last: readonly unknown[],
  next: readonly unknown[],
): readonly unknown[] {
  const keyOf = (item: unknown): unknown => (isRecord(item) ? item[mergeKey] : undefined);
  const patched = next.map((item) => {
    const before = last.find((candidate) => keyOf(candidate) === keyOf(item));
    return before === undefined ? item : patchValue(schema.items, before, item);
  });
  const gone = last.map(keyOf).filter((key) => key !== undefined && !next.some((item) => keyOf(item) === key));
  return [...patched, ...gone.map((key) => ({ $patch: 'delete', [mergeKey]: key }))];
}
