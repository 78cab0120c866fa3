/** Finds the schema of a field in a manifest. */
import { type ObjectSchema, type Schema, schemaOfKind } from '@podscope/k8s';

/** Returns the schema of the items or values of a list or map. A path of keys has no entry for them. */
const inside = (schema: Schema): Schema => (schema.type === 'array' ? inside(schema.items) : schema);

/** Returns the schema of a field; undefined for an unknown field. */
export function schemaAt(kind: string, path: readonly string[]): Schema | undefined {
  let schema: Schema | undefined = schemaOfKind(kind);
  for (const key of path) {
    const at: Schema | undefined = schema && inside(schema);
    if (at?.type === 'object') schema = at.fields[key];
    else if (at?.type === 'map') schema = at.values;
    else return undefined;
  }
  return schema;
}

/** Returns the fields of the object at a path. */
export function fieldsAt(kind: string, path: readonly string[]): ObjectSchema['fields'] | undefined {
  const schema = schemaAt(kind, path);
  const at = schema && inside(schema);
  return at?.type === 'object' ? at.fields : undefined;
}

/** Names a type: `string`, `list of objects`, `map of quantities`. */
export function typeName(schema: Schema): string {
  switch (schema.type) {
    case 'array':
      return `[]${typeName(schema.items)}`;
    case 'map':
      return `map[string]${typeName(schema.values)}`;
    case 'intOrString':
      return 'int | string';
    case 'integer':
      return schema.bits === 64 ? 'int64' : 'int32';
    default:
      return schema.type;
  }
}

/** Returns the allowed values of a field; empty if any value is allowed. */
export function valuesOf(schema: Schema): readonly string[] {
  if (schema.type === 'boolean') return ['true', 'false'];
  return 'values' in schema && Array.isArray(schema.values) ? (schema.values as readonly string[]) : [];
}

/** Returns the kind of the document that contains the lines; `Pod` if no line names one. */
export const kindIn = (lines: readonly string[]): string =>
  lines.map((line) => /^kind:\s*["']?(\w+)/.exec(line)?.[1]).find((kind) => kind !== undefined) ?? 'Pod';

/** Returns the text to insert after a completed key. */
export function keySuffix(schema: Schema, indent: number): string {
  const deeper = ' '.repeat(indent + 2);
  if (schema.type === 'array')
    return inside(schema.items).type === 'object' || schema.items.type === 'string' ? `:\n${deeper}- ` : ': ';
  return schema.type === 'object' || schema.type === 'map' ? `:\n${deeper}` : ': ';
}
