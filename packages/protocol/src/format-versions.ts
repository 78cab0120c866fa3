/**
 * Defines the format versions of the stream protocol and of links (trace files have their own version, in
 * `@podscope/trace/file`). Increase a version with every change that an earlier release would misread.
 */

/** Protocol version in `hello` and `welcome`. Both ends reject any other version. */
export const protocolVersion = 1;

/** Format version of links (`v=1`). A link without a version has version 1. */
export const linkVersion = 1;

/** Returns advice for the user when client and node have different protocol versions. The text names both versions. */
export function protocolMismatch(versions: { readonly client: number; readonly node: number }): string {
  const remedy =
    versions.client < versions.node
      ? 'Reload the page, or update the client.'
      : 'Update the server: the client is from a newer release.';
  return `The node speaks protocol ${versions.node}, the client protocol ${versions.client}. ${remedy}`;
}
