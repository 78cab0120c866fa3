/** Encodes values and ids as OTLP's JSON does: 64-bit integers as texts, ids in hexadecimal. */
import { toJson } from '../events/event-json.ts';

export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/**
 * Encodes a value. Attributes of spans are scalars or lists of scalars, so an object is written as JSON text. JSON text
 * also takes only a third of the space of nested lists of keys and values.
 */
function anyValue(value: unknown): AnyValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      if (!Number.isFinite(value)) return { stringValue: String(value) };
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    case 'bigint':
      return { intValue: value.toString() };
    default:
  }
  if (value === null || typeof value !== 'object') return {};
  if (Array.isArray(value) && value.every(isScalar)) return { arrayValue: { values: value.map(anyValue) } };
  return { stringValue: toJson(value) };
}

/** Returns the members of an object as attributes. Members that are undefined are omitted. */
export const attributesOf = (values: object): KeyValue[] =>
  Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    value === undefined || key === '' ? [] : [{ key, value: anyValue(value) }],
  );

/** Converts milliseconds since the Unix epoch to nanoseconds. */
export const nanoseconds = (time: number): string =>
  (BigInt(Math.round(Math.max(0, time) * 1_000)) * 1_000n).toString();

const hex8 = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Creates ids that depend only on the run. They are equal in every export of a run and differ between runs. */
export class OtlpIds {
  readonly #traceStart: string;
  readonly #spanStart: string;

  constructor(run: string) {
    this.#traceStart = [1, 2, 3].map((seed) => hex8(hash(run, seed))).join('');
    this.#spanStart = hex8(hash(run, 4) | 1);
  }

  /** Returns the id (16 bytes) of the trace that begins with this root span. */
  trace(root: number): string {
    return this.#traceStart + hex8(root);
  }

  /** Returns the id (8 bytes) of a span. It is never zero. */
  span(id: number): string {
    return this.#spanStart + hex8(id);
  }
}
