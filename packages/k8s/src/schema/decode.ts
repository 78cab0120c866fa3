/**
 * Decodes JSON data according to a schema. Drops nulls, which Go treats as absent, and reports unknown fields and wrong
 * types with their paths. Upstream: apimachinery strict decoding.
 */

import { errorMessage, isRecord } from '@podscope/base';
import { decodeBase64 } from '../base64.ts';
import type { FieldError } from '../field-error.ts';
import { parseQuantity } from '../resources/quantity.ts';
import type { ObjectSchema, ScalarSchema, Schema } from './schema.ts';

export interface Decoded {
  /** The data without nulls, unknown fields and invalid values. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The paths of unknown fields, in the order of the data. */
  readonly unknownFields: readonly string[];
  /** Errors for values of the wrong type. */
  readonly errors: readonly FieldError[];
}

/** Decodes an object. The paths in errors begin at the object, for example `spec.containers[0].image`. */
export function decodeObject(schema: ObjectSchema, data: unknown): Decoded {
  const decoder = new Decoder();
  const value = decoder.decode(schema, data, '');
  return { value: isRecord(value) ? value : {}, unknownFields: decoder.unknownFields, errors: decoder.errors };
}

/** Returns the API server's message for unknown fields. Upstream: runtime.strictDecodingError (apimachinery, v1.36). */
export function formatUnknownFields(fields: readonly string[]): string {
  return `strict decoding error: ${fields.map((field) => `unknown field "${field}"`).join(', ')}`;
}

const int32Max = 2 ** 31 - 1;
const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

class Decoder {
  readonly unknownFields: string[] = [];
  readonly errors: FieldError[] = [];

  decode(schema: Schema, data: unknown, path: string): unknown {
    switch (schema.type) {
      case 'any':
        return data;
      case 'object':
        return this.#decodeObject(schema, data, path);
      case 'map':
        return this.#decodeMap(schema.values, data, path);
      case 'array':
        if (!Array.isArray(data)) return this.#refuse(path, 'array', data);
        return data.map((item, index) => {
          const itemPath = `${path}[${index}]`;
          return item === null || item === undefined
            ? zeroValue(schema.items)
            : this.decode(schema.items, item, itemPath);
        });
      default:
        return this.#decodeScalar(schema, data, path);
    }
  }

  #decodeObject(schema: ObjectSchema, data: unknown, path: string): unknown {
    if (!isRecord(data)) return this.#refuse(path, 'object', data);
    const result: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(data)) {
      const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
      const fieldPath = path === '' ? name : `${path}.${name}`;
      if (!field) this.unknownFields.push(fieldPath);
      else if (value !== null && value !== undefined) {
        const decoded = this.decode(field, value, fieldPath);
        if (decoded !== undefined) result[name] = decoded;
      }
    }
    for (const name of schema.required) {
      const field = schema.fields[name];
      if (field && !Object.hasOwn(result, name)) result[name] = zeroValue(field);
    }
    return result;
  }

  #decodeMap(values: Schema, data: unknown, path: string): unknown {
    if (!isRecord(data)) return this.#refuse(path, 'object', data);
    const entries = Object.entries(data).map(([key, value]) => {
      const decoded =
        value === null || value === undefined ? zeroValue(values) : this.decode(values, value, `${path}[${key}]`);
      return [key, decoded] as const;
    });
    // fromEntries creates own properties, so even a key `__proto__` is an ordinary key.
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  // oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive
  #decodeScalar(schema: ScalarSchema, data: unknown, path: string): unknown {
    switch (schema.type) {
      case 'string':
        return typeof data === 'string' ? data : this.#refuse(path, 'string', data);
      case 'boolean':
        return typeof data === 'boolean' ? data : this.#refuse(path, 'boolean', data);
      case 'number':
        return typeof data === 'number' ? data : this.#refuse(path, 'number', data);
      case 'integer':
        return this.#decodeInteger(schema, data, path);
      case 'intOrString':
        return typeof data === 'string'
          ? data
          : this.#decodeInteger({ type: 'integer', bits: 32 }, data, path, 'integer or string');
      case 'quantity':
        return this.#decodeQuantity(data, path);
      case 'time':
        if (typeof data !== 'string') return this.#refuse(path, 'string', data);
        return rfc3339.test(data)
          ? data
          : this.#invalid(path, data, 'must be a time in RFC 3339 form, such as "2026-01-02T15:04:05Z"');
      case 'bytes':
        if (typeof data !== 'string') return this.#refuse(path, 'string', data);
        return decodeBase64(data)
          ? data
          : this.#invalid(path, data, 'must be base64; plain text of a Secret belongs in stringData');
    }
  }

  #decodeInteger(schema: ScalarSchema, data: unknown, path: string, wanted = 'integer'): unknown {
    if (typeof data !== 'number' || !Number.isInteger(data)) return this.#refuse(path, wanted, data);
    if (schema.bits === 32 && (data > int32Max || data < -int32Max - 1)) {
      return this.#invalid(path, data, 'must fit into 32 bits');
    }
    return Number.isSafeInteger(data) ? data : this.#invalid(path, data, 'must be an integer of at most 2^53 - 1');
  }

  #decodeQuantity(data: unknown, path: string): unknown {
    if (typeof data !== 'string' && typeof data !== 'number') return this.#refuse(path, 'string', data);
    try {
      parseQuantity(data);
      return data;
    } catch (error) {
      return this.#invalid(path, data, errorMessage(error));
    }
  }

  #invalid(path: string, value: unknown, detail: string): undefined {
    this.errors.push({ type: 'Invalid', field: path, value, detail });
  }

  #refuse(path: string, wanted: string, data: unknown): undefined {
    const found = typeName(data);
    this.errors.push({
      type: 'TypeInvalid',
      field: path,
      value: found,
      detail: `${path} in body must be of type ${wanted}: "${found}"`,
      wanted,
    });
  }
}

/** Returns Go's zero value of a type, which replaces a null in a list or map. */
// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive
function zeroValue(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(schema.required.map((name) => [name, zeroValue(schema.fields[name] ?? schema)]));
    case 'map':
      return {};
    case 'array':
      return [];
    case 'any':
      return null;
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'string':
    case 'bytes':
      return '';
    case 'time':
      return undefined;
  }
}

/** Returns the JSON Schema name of a value's type. */
function typeName(data: unknown): string {
  if (data === null || data === undefined) return 'null';
  if (Array.isArray(data)) return 'array';
  if (typeof data === 'number') return Number.isInteger(data) ? 'integer' : 'number';
  return typeof data;
}
