/** Defines the error of a patch that can't be applied. The API responds with the status 422 or 400. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}
