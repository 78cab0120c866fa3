/** Applies patches to objects by their content type. Upstream: apiserver endpoints/handlers/patch.go (v1.36). */
import { ApiError, type EditableKind, type StoredObject, unsupportedMediaType } from '@podscope/apiserver';
import { applyPatch, PatchError, type PatchType, patchTypes } from '@podscope/k8s';
import type { Request } from 'express';
import { mediaType } from '../requests/body.ts';

/** The content type of server-side apply. The body is a configuration, not a patch. */
export const applyPatchType = 'application/apply-patch+yaml';

const accepted: readonly PatchType[] = Object.values(patchTypes);

const isPatchType = (type: string): type is PatchType => (accepted as readonly string[]).includes(type);

/**
 * Returns the patched object as data that the caller has to decode.
 * @throws ApiError UnsupportedMediaType or Invalid
 */
export function patchedData(kind: EditableKind, request: Request, current: StoredObject, patch: unknown): unknown {
  const type = mediaType(request);
  if (!isPatchType(type)) throw unsupportedMediaType([...accepted, applyPatchType]);
  try {
    return applyPatch(type, kind, { ...current }, patch);
  } catch (error) {
    if (error instanceof PatchError)
      throw new ApiError(
        422,
        'Invalid',
        `the server rejected our request due to an error in our request: ${error.message}`,
      );
    throw error;
  }
}
