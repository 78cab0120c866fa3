/**
 * The structure of API objects as data: which fields there are, of what type, and how lists merge under a strategic merge patch. One source
 * for strict decoding, patching and an editor's completion.
 */

export type ScalarType = 'string' | 'integer' | 'number' | 'boolean' | 'quantity' | 'intOrString' | 'time' | 'bytes';

export interface ScalarSchema {
  readonly type: ScalarType;
  /** For integers: the widest that Go's field takes. */
  readonly bits?: 32 | 64;
  /** The values validation accepts, for completion; decoding takes any. */
  readonly values?: readonly string[];
}

export interface ListSchema {
  readonly type: 'array';
  readonly items: Schema;
  /** How a strategic merge patch treats the list: replace it, or merge it by a key (objects) or as a set (scalars). */
  readonly patch: 'replace' | 'merge';
  readonly mergeKey?: string;
  /** What tells items apart in server-side apply, where that is more than the merge key; with the value that an absent key stands for. */
  readonly listKeys?: Readonly<Record<string, string | undefined>>;
}

export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  /** Owned and replaced as a whole in server-side apply. */
  readonly atomic?: true;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly fields: Readonly<Record<string, Schema>>;
  /** Fields that are never absent: decoding puts Go's zero value where one is missing, and validation says what must be there. */
  readonly required: readonly string[];
  /** Owned and replaced as a whole in server-side apply. */
  readonly atomic?: true;
}

/** Anything; kept as it is. */
export interface OpenSchema {
  readonly type: 'any';
}

export type Schema = ScalarSchema | ListSchema | MapSchema | ObjectSchema | OpenSchema;

export const string: ScalarSchema = { type: 'string' };
export const boolean: ScalarSchema = { type: 'boolean' };
export const int32: ScalarSchema = { type: 'integer', bits: 32 };
export const int64: ScalarSchema = { type: 'integer', bits: 64 };
export const quantity: ScalarSchema = { type: 'quantity' };
export const intOrString: ScalarSchema = { type: 'intOrString' };
export const time: ScalarSchema = { type: 'time' };
export const bytes: ScalarSchema = { type: 'bytes' };
export const any: OpenSchema = { type: 'any' };

export function oneOf(...values: readonly string[]): ScalarSchema {
  return { type: 'string', values };
}

export function list(items: Schema): ListSchema {
  return { type: 'array', items, patch: 'replace' };
}

/** A list of objects that a strategic merge patch merges by a key. */
export function mergeList(mergeKey: string, items: Schema, listKeys?: ListSchema['listKeys']): ListSchema {
  return { type: 'array', items, patch: 'merge', mergeKey, ...(listKeys && { listKeys }) };
}

/** A list of scalars that a strategic merge patch treats as a set. */
export function mergeSet(items: Schema): ListSchema {
  return { type: 'array', items, patch: 'merge' };
}

export function map(values: Schema): MapSchema {
  return { type: 'map', values };
}

export function object(fields: Readonly<Record<string, Schema>>, ...required: readonly string[]): ObjectSchema {
  return { type: 'object', fields, required };
}

/** The same structure, indivisible in server-side apply. Upstream: `+structType=atomic`, `+mapType=atomic`. */
export const atomic = <S extends MapSchema | ObjectSchema>(schema: S): S => ({ ...schema, atomic: true });
