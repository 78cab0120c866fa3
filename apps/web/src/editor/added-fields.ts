/** What the API server will add to a pod: its defaults, and those of the standard admission plugins. */
import { type Pod, preparePodForCreate, readManifests } from '@podscope/k8s';

interface AddedField {
  /** `spec.containers[0].terminationMessagePath` */
  readonly path: string;
  readonly value: string;
}

export interface AddedTo {
  readonly name: string;
  readonly fields: readonly AddedField[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that `after` has and `before` has not, the outermost of each. */
function collect(before: unknown, after: unknown, path: string, found: AddedField[]): void {
  if (Array.isArray(after)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    for (const [index, item] of after.entries()) {
      if (index < old.length) collect(old[index], item, `${path}[${index}]`, found);
      else found.push({ path: `${path}[${index}]`, value: JSON.stringify(item) });
    }
    return;
  }
  if (!isObject(after)) return;
  for (const [key, value] of Object.entries(after)) {
    // An empty object says nothing.
    if (value === undefined || (isObject(value) && Object.keys(value).length === 0)) continue;
    const inner = path === '' ? key : `${path}.${key}`;
    const old = isObject(before) ? before[key] : undefined;
    if (old === undefined || old === null) found.push({ path: inner, value: typeof value === 'string' ? value : JSON.stringify(value) });
    else collect(old, value, inner, found);
  }
}

const isPod = (object: { readonly kind?: string }): object is Pod => object.kind === 'Pod';

/** For each sound pod of the text. What every object gets alike (uid, time) is left out. */
export function addedFields(text: string): readonly AddedTo[] {
  return readManifests(text).objects.flatMap(({ object, source }) => {
    if (!isPod(object)) return [];
    const prepared = preparePodForCreate(object);
    const fields: AddedField[] = [];
    collect(source.object, { metadata: { namespace: prepared.metadata.namespace }, spec: prepared.spec }, '', fields);
    return [{ name: prepared.metadata.name, fields }];
  });
}
