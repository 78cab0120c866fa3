/** Values and ids as OTLP's JSON has them: 64-bit integers as text, ids in hexadecimal. */

export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values: readonly KeyValue[] };
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** Deeper values are shown as text. */
const maxDepth = 12;

function anyValue(value: unknown, depth = 0): AnyValue {
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
  if (depth >= maxDepth) return { stringValue: JSON.stringify(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((entry) => anyValue(entry, depth + 1)) } };
  return { kvlistValue: { values: attributesOf(value, depth + 1) } };
}

/** An object's members as attributes; those that are undefined are left out. */
export const attributesOf = (values: object, depth = 0): KeyValue[] =>
  Object.entries(values).flatMap(([key, value]: [string, unknown]) => (value === undefined || key === '' ? [] : [{ key, value: anyValue(value, depth) }]));

/** Milliseconds since the Unix epoch as nanoseconds. */
export const nanoseconds = (time: number): string => (BigInt(Math.round(Math.max(0, time) * 1_000)) * 1_000n).toString();

const hex8 = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** FNV-1a, 32 bits. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Ids that are the same each time a run is exported, and others for each run. */
export class OtlpIds {
  readonly #traceStart: string;
  readonly #spanStart: string;

  constructor(run: string) {
    this.#traceStart = [1, 2, 3].map((seed) => hex8(hash(run, seed))).join('');
    this.#spanStart = hex8(hash(run, 4) | 1);
  }

  /** Of the trace that a root span begins: 16 bytes. */
  trace(root: number): string {
    return this.#traceStart + hex8(root);
  }

  /** 8 bytes, never zero. */
  span(id: number): string {
    return this.#spanStart + hex8(id);
  }
}
