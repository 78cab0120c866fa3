/** Declares the supported versions of the CNI specification. */

/** The version of a configuration that doesn't state its version. */
export const oldestVersion = '0.1.0';

/** The versions whose results can be parsed. */
export const knownVersions: readonly string[] = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];

/** Returns true if `version` is `since` or later. CHECK and previous results came with 0.4.0, STATUS with 1.1.0. */
export const isAtLeast = (version: string, since: string): boolean =>
  knownVersions.indexOf(version) >= knownVersions.indexOf(since);
