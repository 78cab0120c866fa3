/** Recognizes kinds of errors as the v1.20 dockershim did. */

/**
 * Returns true if the error means that a container is missing. Only the text counts, as in the Docker client of v1.20.
 * The error for an empty id doesn't match.
 */
export const isContainerNotFound = (error: unknown): boolean =>
  error instanceof Error && /No such container: [0-9a-z]+/.test(error.message);
