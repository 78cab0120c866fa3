/** Errors of commands. */

/** The node refused the command. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
  /** Reason in terms of the Kubernetes API: `NotFound`, `Conflict`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Not connected, or the connection broke before the response arrived. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError';
}
