/** Describes JSON schemas in Markdown: the types of members, and objects as tables or lists. */
import { z } from 'zod';
import { markdownTable } from './markdown.ts';

/** The part of a JSON schema that the documents show. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly additionalProperties?: Schema | boolean;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** A schema with the schemas that it refers to. */
export type Document = Schema & { readonly $defs?: Readonly<Record<string, Schema>> };
/** Returns the JSON schema of what a client may send. */
export const jsonSchema = (schema: z.ZodType): Document =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Document;

/** Returns the name at the end of a reference. */
export const refName = (ref: string): string => ref.split('/').at(-1) ?? ref;

/** Returns a short description of a schema's type. */
export function shape(schema: Schema): string {
  if (schema.$ref) return `[${refName(schema.$ref)}](#${refName(schema.$ref).toLowerCase()})`;
  if (schema.allOf?.length === 1 && schema.allOf[0]) return shape(schema.allOf[0]);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' \\| ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(shape).join(' \\| ');
  if (schema.type === 'array') return `${schema.items ? shape(schema.items) : 'any'}[]`;
  if (schema.type === 'object' && schema.properties) {
    const { required = [] } = schema;
    return `{ ${Object.entries(schema.properties)
      .map(([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${shape(member)}`)
      .join(', ')} }`;
  }
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' ? `map of ${shape(schema.additionalProperties)}` : 'object';
  return Array.isArray(schema.type) ? schema.type.join(' \\| ') : String(schema.type ?? 'any');
}

/** The maximum length of a text in a table cell, in columns. */
const maxCell = 120;

/** Returns the members of an object as a table, or as a list if a text is long; empty if it has no members. */
export function table({ properties = {}, required = [] }: Schema, without: readonly string[] = []): readonly string[] {
  const members = Object.entries(properties).filter(([name]) => !without.includes(name));
  if (members.length === 0) return [];
  const rows = members.map(([name, member]) => [
    `\`${name}\`${required.includes(name) ? '' : '?'}`,
    shape(member),
    (member.description ?? '').replaceAll('\n', ' '),
  ]);
  if (rows.every((row) => row.every((text) => text.length <= maxCell)))
    return [...markdownTable(['member', 'type', 'meaning'], rows), ''];
  // Use a list, because a long cell would make its whole row tall.
  return [
    ...rows.map(
      ([name, type = '', meaning]) =>
        `- ${name}: ${type.replaceAll(String.raw`\|`, '|')}${meaning === '' ? '' : `. ${meaning}`}`,
    ),
    '',
  ];
}

/**
 * Returns the schema itself. If it has references to it, zod may wrap it in an `allOf` with one entry, which is
 * removed.
 */
export function definition(schema: Schema): Schema {
  return schema.allOf?.length === 1 && schema.allOf[0]?.properties ? schema.allOf[0] : schema;
}
