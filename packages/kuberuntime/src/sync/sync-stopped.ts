/** Defines the error with which a step ends the sync. */
/** Ends the sync. The result of the sync contains the cause. */
export class SyncStopped extends Error {
  override readonly name = 'SyncStopped';
  readonly reason: string;

  /** @param reason the name of the error that stopped the sync */
  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message === '' ? reason : message, options);
    this.reason = reason;
  }
}
