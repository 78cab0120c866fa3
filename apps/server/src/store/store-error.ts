/** The event store can't be used; the server goes on without one, and says so. The message names the file and the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
