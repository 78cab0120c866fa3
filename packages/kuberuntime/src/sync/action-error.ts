/** A failed action of a sync: an error that names the failure, plus a detailed message. Becomes a failed SyncResult. */
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
