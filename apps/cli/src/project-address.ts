/** Defines the project's address. No other file contains it. */

/**
 * The page of the project, with the archives of its releases below `releases/download/vVERSION/`. To be set at the
 * first release: `.invalid` is reserved (RFC 2606) and never resolves.
 */
export const projectAddress = 'https://podscope.invalid';

/**
 * Returns the address of a release's files, with a slash at its end; undefined until the project's address is set.
 * @param version version of the release, such as `1.2.0`
 */
export const sourceAddress = (version: string, project: string = projectAddress): string | undefined =>
  new URL(project).hostname.endsWith('.invalid') ? undefined : `${project}/blob/v${version}/`;
