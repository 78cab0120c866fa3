/** How a command can fail. */

/** The node said no. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
  /** The API's reason: `NotFound`, `Conflict`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** There is no connection, or it broke before the answer came. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError';
}
