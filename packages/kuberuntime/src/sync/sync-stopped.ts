/** Defines the error by which a step ends the sync. */
/** Ends the sync. The cause is in the result of the sync. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped';
  readonly reason: string;

  /** @param reason the name of the error that stopped it */
  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message === '' ? reason : message, options);
    this.reason = reason;
  }
}
