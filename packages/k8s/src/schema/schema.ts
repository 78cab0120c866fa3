/**
 * Declares how schemas of API objects are written: their fields, the types of values, and how lists are merged.
 * Decoding, patches and the editor's completion use the schemas.
 */

export type ScalarType = 'string' | 'integer' | 'number' | 'boolean' | 'quantity' | 'intOrString' | 'time' | 'bytes';

export interface ScalarSchema {
  readonly type: ScalarType;
  /** The size of Go's integer type, only for integers. */
  readonly bits?: 32 | 64;
  /** The values that validation accepts, for the editor's completion. Decoding accepts any value. */
  readonly values?: readonly string[];
}

export interface ListSchema {
  readonly type: 'array';
  readonly items: Schema;
  /**
   * How a strategic merge patch changes the list. `replace` replaces it. `merge` merges objects by key, and scalars as
   * a set.
   */
  readonly patch: 'replace' | 'merge';
  readonly mergeKey?: string;
  /**
   * The keys that identify items in server-side apply, with their default values. Absent if the merge key alone
   * identifies them.
   */
  readonly listKeys?: Readonly<Record<string, string | undefined>>;
}

export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  /** True if server-side apply treats the map as a single value. */
  readonly atomic?: true;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly fields: Readonly<Record<string, Schema>>;
  /**
   * Fields that are never absent. If one is missing, decoding sets Go's zero value; validation then reports it if it is
   * required.
   */
  readonly required: readonly string[];
  /** True if server-side apply treats the object as a single value. */
  readonly atomic?: true;
}

/** The schema that accepts any value and doesn't change it. */
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

/** Returns the schema of a list of objects that a strategic merge patch merges by key. */
export function mergeList(mergeKey: string, items: Schema, listKeys?: ListSchema['listKeys']): ListSchema {
  return { type: 'array', items, patch: 'merge', mergeKey, ...(listKeys && { listKeys }) };
}

/** Returns the schema of a list of scalars that a strategic merge patch merges as a set. */
export function mergeSet(items: Schema): ListSchema {
  return { type: 'array', items, patch: 'merge' };
}

export function map(values: Schema): MapSchema {
  return { type: 'map', values };
}

export function object(fields: Readonly<Record<string, Schema>>, ...required: readonly string[]): ObjectSchema {
  return { type: 'object', fields, required };
}

/** Marks a schema as a single value for server-side apply. Upstream: `+structType=atomic`, `+mapType=atomic`. */
export const atomic = <S extends MapSchema | ObjectSchema>(schema: S): S => ({ ...schema, atomic: true });
