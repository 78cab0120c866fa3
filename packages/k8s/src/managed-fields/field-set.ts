/**
 * Defines sets of fields of one object, which record ownership. A field is a path of `fieldsV1` keys: `f:spec`,
 * `k:{"name":"app"}` (an item of an associative list), `v:"x"` (an item of a set). Upstream: structured-merge-diff
 * fieldpath.
 */
import { isRecord } from '@podscope/base';

const separator = '\0';

/** A path as one text. A zero byte separates its keys, which contain no zero bytes because JSON escapes them. */
export type FieldPath = string;

/** A set of fields of one object. */
export type FieldSet = ReadonlySet<FieldPath>;

/** Returns the path of a child. The root's path is empty. */
export const childPath = (path: FieldPath, key: string): FieldPath => (path === '' ? key : `${path}${separator}${key}`);

const keysOf = (path: FieldPath): readonly string[] => path.split(separator);

/** Returns true if `path` equals `ancestor` or is below it. */
export const isWithin = (path: FieldPath, ancestor: FieldPath): boolean =>
  path === ancestor || path.startsWith(`${ancestor}${separator}`);

/**
 * Formats a path, for example `.spec.containers[name="app"].image`. Upstream: fieldpath.Path.String
 * (structured-merge-diff).
 */
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

/** The JSON form of a field set, `metav1.FieldsV1`. */
export interface FieldsV1 {
  readonly [key: string]: FieldsV1;
}

const member = '.';

/** Converts a field set to its JSON form. Upstream: fieldpath.Set.ToJSON. */
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

/** Returns true for a key that {@link formatFieldPath} can parse. */
function isKey(key: string): boolean {
  if (key.startsWith('f:')) return true;
  if (!/^[kv]:/.test(key)) return false;
  try {
    const value: unknown = JSON.parse(key.slice(2));
    return key.startsWith('v:') || isRecord(value);
  } catch {
    return false;
  }
}

/** Parses a field set from a client. Returns undefined for invalid input. Upstream: fieldpath.Set.FromJSON. */
export function fromFieldsV1(fields: unknown): FieldSet | undefined {
  const set = new Set<FieldPath>();
  const read = (value: unknown, path: FieldPath): boolean => {
    if (!isRecord(value)) return false;
    const keys = Object.keys(value);
    if (path !== '' && (keys.length === 0 || keys.includes(member))) set.add(path);
    return keys.every((key) => key === member || (isKey(key) && read(value[key], childPath(path, key))));
  };
  return read(fields, '') ? set : undefined;
}

/** Returns true if both sets contain the same fields. */
export const sameFields = (a: FieldSet, b: FieldSet): boolean =>
  a.size === b.size && [...a].every((path) => b.has(path));

export const union = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a, ...b]);
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a].filter((path) => b.has(path)));
export const difference = (a: FieldSet, b: FieldSet): FieldSet => new Set([...a].filter((path) => !b.has(path)));
