/**
 * Checks quickly whether a schema would return a value unchanged. Most events of a file pass the check, and so needn't
 * be copied by the schema, which would take longer than reading the file. A value that doesn't pass is parsed with the
 * schema, which removes unknown members or reports errors.
 */
import { isRecord } from '@podscope/base';
import type { z } from 'zod';

type Check = (value: unknown) => boolean;
type Schema = z.core.$ZodType;

/** Returns the definition of a schema. */
function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  const { _zod: made } = schema as z.core.$ZodTypes;
  return made.def;
}

/**
 * Returns a function that checks a value. It never accepts a value that the schema would reject or change. If the
 * schema has features that this module doesn't support, it accepts no value.
 */
export function exactCheck(schema: Schema): Check {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return isUnchecked(def) ? (value) => typeof value === 'string' : never;
    case 'number':
      return numberCheck(def);
    case 'boolean':
      return isUnchecked(def) ? (value) => typeof value === 'boolean' : never;
    case 'unknown':
      return () => true;
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'optional': {
      const inner = exactCheck(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'array': {
      const element = exactCheck(def.element);
      return isUnchecked(def) ? (value) => Array.isArray(value) && value.every(element) : never;
    }
    case 'record':
      return recordCheck(def);
    case 'object':
      return objectCheck(def);
    case 'union':
      return unionCheck(def);
    default:
      return never;
  }
}

const never: Check = () => false;

const isUnchecked = ({ checks }: z.core.$ZodTypeDef): boolean => checks === undefined || checks.length === 0;

function oneOf(values: readonly unknown[]): Check {
  const allowed = new Set(values);
  return (value) => allowed.has(value);
}

/** Returns the check of a number. Supports integers and lower bounds. */
function numberCheck(def: z.core.$ZodNumberDef): Check {
  const { format } = def as z.core.$ZodNumberDef & { readonly format?: string };
  if (format !== undefined && format !== 'safeint') return never;
  let check: Check = format === undefined ? Number.isFinite : Number.isSafeInteger;
  for (const each of def.checks ?? []) {
    const { _zod: made } = each;
    const bound = made.def as { readonly check: string; readonly value?: unknown; readonly inclusive?: boolean };
    const { value: limit, inclusive = false } = bound;
    if (bound.check !== 'greater_than' || typeof limit !== 'number') return never;
    const before = check;
    check = (value) => before(value) && ((value as number) > limit || (inclusive && value === limit));
  }
  return check;
}

function recordCheck(def: z.core.$ZodRecordDef): Check {
  const isPlain = defOf(def.keyType).type === 'string' && defOf(def.valueType).type === 'unknown';
  // The schema would omit a member `__proto__`, so such a value isn't accepted.
  return isPlain && isUnchecked(def) ? (value) => isRecord(value) && !Object.hasOwn(value, '__proto__') : never;
}

function objectCheck(def: z.core.$ZodObjectDef): Check {
  if (!isUnchecked(def) || (def.catchall && defOf(def.catchall).type !== 'never')) return never;
  const members = new Map<string, Check>();
  let required = 0;
  const isRequired = new Set<string>();
  for (const [name, schema] of Object.entries(def.shape)) {
    members.set(name, exactCheck(schema));
    const { type } = defOf(schema);
    if (type === 'optional') continue;
    // Releases of zod differ in how they treat a missing member of the type unknown. So the schema itself has to parse
    // the value.
    isRequired.add(name);
    required++;
  }
  return (value) => {
    if (!isRecord(value)) return false;
    let found = 0;
    for (const name in value) {
      const check = members.get(name);
      if (!check?.(value[name])) return false;
      if (isRequired.has(name)) found++;
    }
    return found === required;
  };
}

/** Returns the check of a union. Supports discriminated unions. */
function unionCheck(def: z.core.$ZodUnionDef): Check {
  const { discriminator } = def as z.core.$ZodUnionDef & { readonly discriminator?: string };
  if (discriminator === undefined || !isUnchecked(def)) return never;
  const byValue = new Map<unknown, Check>();
  for (const option of def.options) {
    const check = exactCheck(option);
    const { _zod: made } = option;
    for (const value of made.propValues?.[discriminator] ?? []) byValue.set(value, check);
  }
  return (value) => isRecord(value) && (byValue.get(value[discriminator])?.(value) ?? false);
}
