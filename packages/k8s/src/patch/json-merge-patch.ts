/** Implements JSON merge patch, RFC 7386. */
import { isRecord } from '@podscope/base';

/**
 * Returns the patched target. A null in the patch removes a field, objects are merged, and any other value replaces the
 * old one. The arguments aren't changed.
 */
export function applyJSONMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map<string, unknown>(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, applyJSONMergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
