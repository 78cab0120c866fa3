/** CNI specification versions. */

/** What a configuration without a version means. */
export const oldestVersion = '0.1.0';

/** Versions whose results are understood here. */
export const knownVersions: readonly string[] = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'];

/** True from `since` on: CHECK and previous results came with 0.4.0, STATUS with 1.1.0. */
export const isAtLeast = (version: string, since: string): boolean => knownVersions.indexOf(version) >= knownVersions.indexOf(since);
