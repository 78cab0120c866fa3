/** Defines the error that contains the reason why the server can't start. The reason is printed as one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * If the state directory can't be written, returns a one-line error with a remedy. Returns any other error unchanged.
 */
export function asStartError(error: unknown, stateDir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOSPC'
      ? 'there is no space left for it'
      : code === 'EDQUOT'
        ? 'its quota is used up'
        : code === 'EROFS'
          ? 'it is read-only'
          : undefined;
  if (why === undefined) return error;
  return new StartError(
    `the state directory ${stateDir} cannot be written, ${why} (${message}): make room, or choose another --state-dir`,
    { cause: error },
  );
}
