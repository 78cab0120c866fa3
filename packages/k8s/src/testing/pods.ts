/** Pods for tests: a sound one, changed where a test wants it. */

import { formatFieldError } from '../field-error.ts';
import { readObject } from '../parse/read-object.ts';
import type { Pod } from '../types.ts';

type Data = Record<string, unknown>;

/** The data of a sound pod with these fields of its spec. */
export function podData(spec: Data = {}, metadata: Data = {}): Data {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...metadata }, spec: { containers: [{ name: 'app', image: 'nginx' }], ...spec } };
}

/** The data of a sound pod whose only container has these fields. */
export function containerPod(container: Data, spec: Data = {}): Data {
  return podData({ containers: [{ name: 'app', image: 'nginx', ...container }], ...spec });
}

/** The messages that reading the data gives; none if it is sound. */
export function messagesOf(data: Data, as: 'create' | 'existing' = 'create'): string[] {
  const { errors, unknownFields } = readObject('Pod', data, { as });
  return [...unknownFields.map((field) => `unknown field "${field}"`), ...errors.map(formatFieldError)];
}

/** The defaulted pod of data that must be sound. */
export function soundPod(data: Data, as: 'create' | 'existing' = 'create'): Pod {
  const { object, errors } = readObject('Pod', data, { as });
  if (!object || errors.length > 0) throw new Error(`not a sound pod: ${errors.map(formatFieldError).join('; ')}`);
  return object;
}
