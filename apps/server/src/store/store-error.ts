/**
 * The event store can't be used. The server continues without one and shows the message, which names the file and the
 * remedy.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
