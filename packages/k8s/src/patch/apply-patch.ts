/**
 * Applies a patch of one of the three kinds. As in the API, the content type selects the kind. Upstream: apiserver
 * endpoints/handlers/patch.go (v1.36).
 */

import { isRecord } from '@podscope/base';
import { schemaOfKind } from '../schema/kinds.ts';
import { applyJSONMergePatch } from './json-merge-patch.ts';
import { applyJSONPatch } from './json-patch.ts';
import { PatchError } from './patch-error.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export type PatchType = (typeof patchTypes)[keyof typeof patchTypes];

/**
 * Returns the patched data of an object. The caller has to decode and validate the data.
 * @throws PatchError
 */
export function applyPatch(
  type: PatchType,
  kind: string,
  object: Readonly<Record<string, unknown>>,
  patch: unknown,
): Readonly<Record<string, unknown>> {
  const patched = patchedData(type, kind, object, patch);
  if (!isRecord(patched)) throw new PatchError('the patch does not leave an object');
  return patched;
}

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive
function patchedData(
  type: PatchType,
  kind: string,
  object: Readonly<Record<string, unknown>>,
  patch: unknown,
): unknown {
  switch (type) {
    case patchTypes.json:
      return applyJSONPatch(object, patch);
    case patchTypes.merge:
      return applyJSONMergePatch(object, patch);
    case patchTypes.strategic: {
      const schema = schemaOfKind(kind);
      if (!schema) throw new PatchError(`${kind} does not take strategic merge patches: use ${patchTypes.merge}`);
      return applyStrategicMergePatch(object, patch, schema);
    }
  }
}
