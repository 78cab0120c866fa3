/** Checks the version of Node that runs a program. */

/**
 * The oldest supported version: the first in which `node:sqlite` needs no flag. The `engines` of every package name the
 * same version.
 */
export const minimumNode = '22.13';

/** Returns the error message for an unsupported version of Node, undefined for a supported one. */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimumNode.split('.').map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor)
    ? undefined
    : `Node ${version} is not supported: install Node ${minimumNode} or newer`;
}
