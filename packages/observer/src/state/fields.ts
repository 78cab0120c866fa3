/** Reads fields of decoded CRI messages. Their form isn't certain, because other versions and programs produce them. */
import { isRecord } from '@podscope/base';
import type { CallMessage } from '../inputs.ts';

/** Returns the object at a path, or undefined. */
export function objectAt(message: unknown, ...path: readonly string[]): CallMessage | undefined {
  let current = message;
  for (const key of path) {
    if (!isRecord(current)) return undefined;
    current = current[key];
  }
  return isRecord(current) ? current : undefined;
}

/** Returns the string at a path, or an empty one. */
export function textAt(message: unknown, ...path: readonly string[]): string {
  const found = objectAt(message, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return typeof found === 'string' ? found : '';
}

/** Returns the number at a path, or 0. */
export function numberAt(message: unknown, ...path: readonly string[]): number {
  const found = objectAt(message, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return typeof found === 'number' ? found : 0;
}

/** Returns the objects in the list at a path. */
export function listAt(message: unknown, ...path: readonly string[]): readonly CallMessage[] {
  const found = objectAt(message, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Returns the strings in the list at a path. */
export function textsAt(message: unknown, ...path: readonly string[]): readonly string[] {
  const found = objectAt(message, ...path.slice(0, -1))?.[path.at(-1) ?? ''];
  return Array.isArray(found) ? found.filter((each): each is string => typeof each === 'string') : [];
}
