/** Determines the tag of an image reference, on which the default pull policy depends. Upstream: pkg/util/parsers. */

const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathPart = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const tag = '(?<tag>[\\w][\\w.-]{0,127})';
const digest = '(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})';
const reference = new RegExp(`^(?:${domain}/)?(?<path>${pathPart}(?:/${pathPart})*)(?::${tag})?${digest}?$`);

/**
 * Returns the tag of an image reference. It is `latest` for a reference without tag and digest, and empty for an
 * invalid reference or one that has only a digest. Upstream: parsers.ParseImageName (v1.36).
 */
export function imageTag(image: string): string {
  const parts = reference.exec(image)?.groups;
  if (!parts || /^[a-f0-9]{64}$/.test(image)) return '';
  if (parts.tag !== undefined) return parts.tag;
  return parts.digest === undefined ? 'latest' : '';
}
