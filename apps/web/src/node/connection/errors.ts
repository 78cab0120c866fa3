/** Errors of commands. */

/** Thrown when the node refuses the command. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
  /** Reason in terms of the Kubernetes API: `NotFound`, `Conflict`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Thrown without a connection, and when the connection breaks before the response arrives. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError';
}
