/** JSON merge patch, RFC 7386. */

import { isRecord } from '../schema/decode.ts';

/** The target with the patch applied: null removes, objects merge, everything else replaces. Neither argument is changed. */
export function applyJSONMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map<string, unknown>(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, applyJSONMergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
