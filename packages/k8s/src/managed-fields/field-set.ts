/**
 * Sets of fields of one object: who owns what is written with them. A field is a path of keys as `fieldsV1` has them: `f:spec`, `k:{"name":"app"}`
 * (an item of a list that is really a map), `v:"x"` (an item of a list that is really a set).
 */

const separator = '\0';

/** A path as one text. Keys hold no zero bytes: JSON escapes them. */
export type FieldPath = string;

/** Fields of one object. */
export type FieldSet = ReadonlySet<FieldPath>;

/** The root's path is empty. */
export const childPath = (path: FieldPath, key: string): FieldPath => (path === '' ? key : `${path}${separator}${key}`);

const keysOf = (path: FieldPath): readonly string[] => path.split(separator);

/** True when `path` is `ancestor` or below it. */
export const isWithin = (path: FieldPath, ancestor: FieldPath): boolean => path === ancestor || path.startsWith(`${ancestor}${separator}`);

/** `.spec.containers[name="app"].image`. Upstream: fieldpath.Path.String (structured-merge-diff). */
export function formatFieldPath(path: FieldPath): string {
  return keysOf(path)
    .map((key) => {
      if (key.startsWith('f:')) return `.${key.slice(2)}`;
      if (key.startsWith('v:')) return `[=${key.slice(2)}]`;
      const fields = Object.entries(JSON.parse(key.slice(2)) as Record<string, unknown>);
      return `[${fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}

/** As `metav1.FieldsV1` carries it. */
export interface FieldsV1 {
  readonly [key: string]: FieldsV1;
}

const member = '.';

/** Upstream: fieldpath.Set.ToJSON. */
export function toFieldsV1(set: FieldSet): FieldsV1 {
  interface Node {
    isMember: boolean;
    readonly children: Map<string, Node>;
  }
  const root: Node = { isMember: false, children: new Map() };
  for (const path of set) {
    let node = root;
    for (const key of keysOf(path)) {
      let child = node.children.get(key);
      if (!child) {
        child = { isMember: false, children: new Map() };
        node.children.set(key, child);
      }
      node = child;
    }
    node.isMember = true;
  }
  const write = ({ isMember, children }: Node): FieldsV1 =>
    Object.fromEntries([
      ...(isMember && children.size > 0 ? [[member, {}] as const] : []),
      ...[...children].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, child]) => [key, write(child)] as const),
    ]);
  return write(root);
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key that {@link formatFieldPath} can read. */
function isKey(key: string): boolean {
  if (key.startsWith('f:')) return true;
  if (!/^[kv]:/.test(key)) return false;
  try {
    const value: unknown = JSON.parse(key.slice(2));
    return key.startsWith('v:') || isTree(value);
  } catch {
    return false;
  }
}

/** Reads what clients send back; undefined when it is nothing of the kind. Upstream: fieldpath.Set.FromJSON. */
export function fromFieldsV1(fields: unknown): FieldSet | undefined {
  const set = new Set<FieldPath>();
  const read = (value: unknown, path: FieldPath): boolean => {
    if (!isTree(value)) return false;
    const keys = Object.keys(value);
    if (path !== '' && (keys.length === 0 || keys.includes(member))) set.add(path);
    return keys.every((key) => key === member || (isKey(key) && read(value[key], childPath(path, key))));
  };
  return read(fields, '') ? set : undefined;
}

/** True when both hold the same fields. */
export const sameFields = (a: FieldSet, b: FieldSet): boolean => a.size === b.size && [...a].every((path) => b.has(path));

export const union = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a, ...b]);
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a].filter((path) => b.has(path)));
export const difference = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a].filter((path) => !b.has(path)));
