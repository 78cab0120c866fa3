/**
 * Defines the error of a failed action of a sync. The error has a short name and a detailed message, and becomes a
 * failed SyncResult.
 */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  /** The error whose text becomes the container's waiting reason. */
  readonly error: Error;
  /** The text of {@link error}, as the event log shows it. */
  readonly reason: string;

  constructor(error: Error, message: string) {
    super(message, { cause: error });
    this.error = error;
    this.reason = error.message;
  }
}
