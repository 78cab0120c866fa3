/** Implements JSON patch, RFC 6902. */

import { isRecord } from '@podscope/base';
import { z } from 'zod';
import { semanticEqual } from '../semantic-equal.ts';
import { PatchError } from './patch-error.ts';

const pointer = z.string().regex(/^(?:\/(?:[^~]|~[01])*)?$/, 'must be empty or start with /');

const operationSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), path: pointer, value: z.unknown() }),
  z.object({ op: z.literal('remove'), path: pointer }),
  z.object({ op: z.literal('replace'), path: pointer, value: z.unknown() }),
  z.object({ op: z.literal('move'), path: pointer, from: pointer }),
  z.object({ op: z.literal('copy'), path: pointer, from: pointer }),
  z.object({ op: z.literal('test'), path: pointer, value: z.unknown() }),
]);

/** The maximum number of operations in a patch, as in the API server. */
const MAX_OPERATIONS = 10_000;
const patchSchema = z.array(operationSchema).max(MAX_OPERATIONS);

export type JSONPatchOperation = z.infer<typeof operationSchema>;

/**
 * Applies the operations in order and returns the result. The target isn't changed.
 * @throws PatchError that names the operation that failed
 */
export function applyJSONPatch(target: unknown, patch: unknown): unknown {
  const parsed = patchSchema.safeParse(patch);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PatchError(
      `error decoding patch: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a list of operations'}`,
    );
  }
  let document = target;
  for (const operation of parsed.data) document = applyOperation(document, operation);
  return document;
}

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive
function applyOperation(document: unknown, operation: JSONPatchOperation): unknown {
  const path = segmentsOf(operation.path);
  switch (operation.op) {
    case 'add':
      return put(document, path, operation.value, operation);
    case 'remove':
      return remove(document, path, operation);
    case 'replace':
      read(document, path, operation);
      return path.length === 0
        ? operation.value
        : put(remove(document, path, operation), path, operation.value, operation);
    case 'copy':
      return put(document, path, read(document, segmentsOf(operation.from), operation), operation);
    case 'move': {
      if (operation.path.startsWith(`${operation.from}/`))
        throw failure(operation, 'a value can not be moved into itself');
      const from = segmentsOf(operation.from);
      return put(remove(document, from, operation), path, read(document, from, operation), operation);
    }
    case 'test':
      if (!semanticEqual(read(document, path, operation, true), operation.value))
        throw new PatchError(`testing value ${operation.path} failed`);
      return document;
  }
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function failure({ op, path }: JSONPatchOperation, reason: string): PatchError {
  return new PatchError(`${op} operation does not apply: ${reason} (path "${path}")`);
}

function read(document: unknown, path: readonly string[], operation: JSONPatchOperation, lenient = false): unknown {
  let current = document;
  for (const segment of path) {
    if (Array.isArray(current)) current = current[indexOf(segment, current.length - 1, operation)];
    else if (isRecord(current) && Object.hasOwn(current, segment)) current = current[segment];
    // As in upstream's library, `test` with null succeeds if the path doesn't exist.
    else if (lenient) return undefined;
    else throw failure(operation, `doc is missing path: "/${path.join('/')}": missing value`);
  }
  return current;
}

/** Returns a copy of the document in which `change` was applied to the value that contains the path's last segment. */
function changeAt(
  document: unknown,
  path: readonly string[],
  operation: JSONPatchOperation,
  change: (container: unknown, segment: string) => unknown,
): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) throw failure(operation, 'the whole document');
  if (rest.length === 0) return change(document, segment);
  if (Array.isArray(document)) {
    const index = indexOf(segment, document.length - 1, operation);
    return document.with(index, changeAt(document[index], rest, operation, change));
  }
  if (!isRecord(document) || !Object.hasOwn(document, segment))
    throw failure(operation, 'doc is missing path: missing value');
  return withEntry(document, segment, changeAt(document[segment], rest, operation, change));
}

function put(document: unknown, path: readonly string[], value: unknown, operation: JSONPatchOperation): unknown {
  if (path.length === 0) return value;
  return changeAt(document, path, operation, (container, segment) => {
    if (Array.isArray(container))
      return container.toSpliced(
        segment === '-' ? container.length : indexOf(segment, container.length, operation),
        0,
        value,
      );
    if (isRecord(container)) return withEntry(container, segment, value);
    throw failure(operation, 'the parent is neither an object nor a list');
  });
}

function remove(document: unknown, path: readonly string[], operation: JSONPatchOperation): unknown {
  return changeAt(document, path, operation, (container, segment) => {
    if (Array.isArray(container)) return container.toSpliced(indexOf(segment, container.length - 1, operation), 1);
    if (!isRecord(container) || !Object.hasOwn(container, segment))
      throw failure(operation, `unable to remove nonexistent key: ${segment}: missing value`);
    return Object.fromEntries(Object.entries(container).filter(([key]) => key !== segment));
  });
}

/**
 * Returns the record with one entry changed. The entries keep their order. fromEntries creates own properties for all
 * keys, even for `__proto__`.
 */
function withEntry(container: Readonly<Record<string, unknown>>, key: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries(new Map(Object.entries(container)).set(key, value));
}

function indexOf(segment: string, last: number, operation: JSONPatchOperation): number {
  if (!/^(?:0|[1-9]\d*)$/.test(segment)) throw failure(operation, `"${segment}" is not a list index`);
  const index = Number(segment);
  if (index > last) throw failure(operation, `index ${segment} is out of bounds`);
  return index;
}
