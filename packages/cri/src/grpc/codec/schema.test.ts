/** Tests that the .proto file, the types and the list of required fields agree. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imageServiceMethods, runtimeServiceMethods } from '../../services.ts';
import { rpcsOf } from '../api-version.ts';
import { alwaysPresent } from './always-present.ts';
import { type FieldSchema, messageSchemas, serviceSchemas } from './schema.ts';

const source = readFileSync(new URL('../../messages.ts', import.meta.url), 'utf8');

/** The lines `name[?]: type` in messages.ts, by the name of the message. */
const declared = new Map(
  [...source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => [
    name,
    [...body.matchAll(/^ {2}readonly (\w+\??: .*);$/gm)].map(([, field = '']) => field),
  ]),
);
for (const [, name = ''] of source.matchAll(/^export type (\w+) = Readonly<Record<string, never>>;$/gm))
  declared.set(name, []);

const scalarTypes = {
  string: 'string',
  text: 'string',
  bytes: 'Uint8Array',
  bool: 'boolean',
  int32: 'number',
  uint32: 'number',
  int64: 'number',
  uint64: 'number',
  double: 'number',
  time: 'bigint',
} as const;

/** The names of the enums in messages.ts, by their values. */
const enums = new Map(
  [...source.matchAll(/^export type (\w+) =\s+((?:\|? ?'\w+'\s*)+);/gm)].map(([, name = '', union = '']) => [
    [...union.matchAll(/'(\w+)'/g)].map(([, value]) => value).join(' '),
    name,
  ]),
);

function declaration(message: string, { name, shape, kind }: FieldSchema): string {
  const required = alwaysPresent[message]?.split(' ').includes(name) ?? false;
  const type =
    kind.type === 'message'
      ? kind.message.name
      : kind.type === 'enum'
        ? enums.get([...kind.numbers.keys()].join(' '))
        : scalarTypes[kind.type];
  const whole =
    shape === 'repeated' ? `readonly ${type}[]` : shape === 'map' ? `Readonly<Record<string, ${type}>>` : type;
  return `${name}${required ? '' : '?'}: ${whole}`;
}

describe('the .proto file', () => {
  it('has exactly the messages that messages.ts declares', () => {
    expect(messageSchemas.map(({ name }) => name).toSorted()).toEqual([...declared.keys()].toSorted());
  });

  it.each(messageSchemas)('agrees with the type $name, field by field', ({ name, fields }) => {
    expect(fields.map((field) => declaration(name, field)).toSorted()).toEqual(
      [...(declared.get(name) ?? [])].toSorted(),
    );
  });

  it('has the RPCs of the services', () => {
    expect(serviceSchemas.RuntimeService.map(({ name }) => name)).toEqual(runtimeServiceMethods);
    expect(serviceSchemas.ImageService.map(({ name }) => name)).toEqual(imageServiceMethods);
  });

  it('has no newer RPCs in v1alpha2', () => {
    const names = [...rpcsOf('v1alpha2', 'RuntimeService'), ...rpcsOf('v1alpha2', 'ImageService')].map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(27);
    expect(rpcsOf('v1alpha2', 'ImageService')[0]?.path).toBe('/runtime.v1alpha2.ImageService/ListImages');
  });
});
