/**
 * Computes the fields that the API server adds: default values, and the fields that the standard admission plugins set.
 */
import { isRecord } from '@podscope/base';
import { type Pod, preparePodForCreate, readManifests } from '@podscope/k8s';

interface AddedField {
  /** Path of the field: `spec.containers[0].terminationMessagePath`. */
  readonly path: string;
  readonly value: string;
}

export interface AddedTo {
  readonly name: string;
  readonly fields: readonly AddedField[];
}

/** Returns the outermost fields that `after` has and `before` lacks. */
function collect(before: unknown, after: unknown, path: string, found: AddedField[]): void {
  if (Array.isArray(after)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    for (const [index, item] of after.entries()) {
      if (index < old.length) collect(old[index], item, `${path}[${index}]`, found);
      else found.push({ path: `${path}[${index}]`, value: JSON.stringify(item) });
    }
    return;
  }
  if (!isRecord(after)) return;
  for (const [key, value] of Object.entries(after)) {
    // An empty object adds no information.
    if (value === undefined || (isRecord(value) && Object.keys(value).length === 0)) continue;
    const inner = path === '' ? key : `${path}.${key}`;
    const old = isRecord(before) ? before[key] : undefined;
    if (old === undefined || old === null)
      found.push({ path: inner, value: typeof value === 'string' ? value : JSON.stringify(value) });
    else collect(old, value, inner, found);
  }
}

const isPod = (object: { readonly kind?: string }): object is Pod => object.kind === 'Pod';

/** Returns the added fields of each valid pod. Fields that every object gets (uid, time) are omitted. */
export function addedFields(text: string): readonly AddedTo[] {
  return readManifests(text).objects.flatMap(({ object, source }) => {
    if (!isPod(object)) return [];
    const prepared = preparePodForCreate(object);
    const fields: AddedField[] = [];
    collect(source.object, { metadata: { namespace: prepared.metadata.namespace }, spec: prepared.spec }, '', fields);
    return [{ name: prepared.metadata.name, fields }];
  });
}
