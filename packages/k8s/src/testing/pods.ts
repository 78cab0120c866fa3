/** Provides valid pods for tests, which can override fields. */

import { formatFieldError } from '../field-error.ts';
import { readObject } from '../parse/read-object.ts';
import type { Pod } from '../types.ts';

type Data = Record<string, unknown>;

/** Returns the data of a valid pod with these spec fields. */
export function podData(spec: Data = {}, metadata: Data = {}): Data {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { containers: [{ name: 'app', image: 'nginx' }], ...spec },
  };
}

/** Returns the data of a valid pod whose only container has these fields. */
export function containerPod(container: Data, spec: Data = {}): Data {
  return podData({ containers: [{ name: 'app', image: 'nginx', ...container }], ...spec });
}

/** Reads the data and returns the error messages; empty if the data is valid. */
export function messagesOf(data: Data, as: 'create' | 'existing' = 'create'): string[] {
  const { errors, unknownFields } = readObject('Pod', data, { as });
  return [...unknownFields.map((field) => `unknown field "${field}"`), ...errors.map(formatFieldError)];
}

/** Reads the data, which must be valid, and returns the pod with its defaults. */
export function soundPod(data: Data, as: 'create' | 'existing' = 'create'): Pod {
  const { object, errors } = readObject('Pod', data, { as });
  if (!object || errors.length > 0) throw new Error(`not a sound pod: ${errors.map(formatFieldError).join('; ')}`);
  return object;
}
