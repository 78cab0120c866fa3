/** Defines the project's address, which no other file of the packages repeats. */

/**
 * The page of the project, with the archives of its releases below `releases/download/vVERSION/`. To be set at the
 * first release: `.invalid` is reserved (RFC 2606) and never resolves.
 */
export const projectAddress = 'https://podscope.invalid';
