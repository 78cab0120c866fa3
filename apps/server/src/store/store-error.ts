/**
 * Defines the error of an event store that can't be used. The server then runs without the store and shows the message,
 * which names the file and the remedy.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
