var e=`/** A failed action: the error that names it, and the message that tells more. Becomes a failed SyncResult. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  /** Its text becomes the waiting reason of a container. */
  readonly error: Error;
  /** The text of {@link error}, for the event log. */
  readonly reason: string;

  constructor(error: Error, message: string) {
    super(message, { cause: error });
    this.error = error;
    this.reason = error.message;
  }
}
`;export{e as default};
//# sourceMappingURL=action-error-C74LBHL-.js.map