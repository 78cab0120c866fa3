/** Generates random CRI messages from the .proto file. */
import fc from 'fast-check';
import { alwaysPresent } from '../codec/always-present.ts';
import type { FieldKind, FieldSchema, MessageSchema } from '../codec/schema.ts';

const maxInt64 = 2n ** 63n - 1n;

function valueOf(kind: FieldKind): fc.Arbitrary<unknown> {
  switch (kind.type) {
    case 'string':
    case 'text':
      return fc.string({ unit: 'grapheme', maxLength: 8 });
    case 'bytes':
      return fc.uint8Array({ maxLength: 8 });
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.integer();
    case 'uint32':
      return fc.integer({ min: 0, max: 2 ** 32 - 1 });
    case 'int64':
      return fc.maxSafeInteger();
    case 'uint64':
      return fc.maxSafeNat();
    case 'time':
      return fc.bigInt({ min: -maxInt64 - 1n, max: maxInt64 });
    case 'double':
      return fc.double();
    case 'enum':
      return fc.constantFrom(...kind.numbers.keys());
    case 'message':
      return arbitraryMessage(kind.message);
  }
}

function fieldOf({ shape, kind }: FieldSchema): fc.Arbitrary<unknown> {
  const value = valueOf(kind);
  if (shape === 'repeated') return fc.array(value, { maxLength: 3 });
  // `__proto__` is an ordinary key in protobuf. fast-check's dictionaries don't generate it, so it is added.
  return shape === 'map'
    ? fc.dictionary(fc.oneof(fc.string({ maxLength: 5 }), fc.constant('__proto__')), value, {
        maxKeys: 3,
        noNullPrototype: true,
      })
    : value;
}

/** Returns true for absent and zero values, which can't be distinguished in an encoded message. */
const isZero = (value: unknown): boolean =>
  value === 0n ||
  Object.is(value, 0) ||
  value === '' ||
  value === false ||
  (value instanceof Uint8Array && value.length === 0) ||
  (Array.isArray(value) && value.length === 0);

/** Generates messages as the decoder returns them, without zero values of optional fields. */
export function arbitraryMessage({ name, fields }: MessageSchema): fc.Arbitrary<Record<string, unknown>> {
  const required = new Set(alwaysPresent[name]?.split(' '));
  const model = Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)]));
  const requiredKeys = fields.map((field) => field.name).filter((key) => required.has(key));
  return fc.record(model, { requiredKeys, noNullPrototype: true }).map((message) => {
    const kept = fields.filter((field) => {
      const value: unknown = message[field.name];
      if (required.has(field.name)) return true;
      if (value === undefined || isZero(value)) return false;
      if (field.kind.type === 'enum' && field.shape === 'single') return field.kind.numbers.get(value as string) !== 0;
      return field.shape !== 'map' || Object.keys(value as object).length > 0;
    });
    return Object.fromEntries(kept.map((field) => [field.name, message[field.name]]));
  });
}
