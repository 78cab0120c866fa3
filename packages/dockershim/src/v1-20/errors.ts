/** What the v1.20 dockershim makes of failures. */

/** By text alone, as its client had it: an empty id is not found in other words. Upstream: IsContainerNotFoundError (libdocker, v1.20). */
export const isContainerNotFound = (error: unknown): boolean => error instanceof Error && /No such container: [0-9a-z]+/.test(error.message);
