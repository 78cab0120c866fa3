/** Classifies errors as the v1.20 dockershim did. */

/**
 * Returns true for a missing container, by the error's text only as its client did. An empty id isn't a missing
 * container.
 */
export const isContainerNotFound = (error: unknown): boolean =>
  error instanceof Error && /No such container: [0-9a-z]+/.test(error.message);
