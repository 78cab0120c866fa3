/**
 * Image references: `[domain/]path[:tag][@digest]`, read as Docker and the kubelet read them, with their words for what is wrong.
 * Upstream: github.com/distribution/reference (ParseNormalizedNamed) as vendored by the kubelet, and the kubelet's applyDefaultImageTag.
 */

/** An image reference in its parts. */
export interface ImageReference {
  /** Registry host, with port where given: `docker.io`, `127.0.0.1:5000`. */
  readonly domain: string;
  /** Repository in the registry: `library/busybox`. */
  readonly path: string;
  readonly tag?: string;
  /** `sha256:…` */
  readonly digest?: string;
  /** Domain and path: `docker.io/library/busybox`. */
  readonly name: string;
  /** The name as people write it, without Docker's defaults: `busybox`. */
  readonly familiarName: string;
  /** The whole reference with its domain: `docker.io/library/busybox:1.36`. */
  readonly normalized: string;
  /** The whole reference as people write it: `busybox:1.36`. */
  readonly familiar: string;
}

/** A text that is no image reference. The message is the parser's own: `invalid reference format`. */
export class ImageReferenceError extends Error {
  override readonly name = 'ImageReferenceError';
}

/** The release whose wording errors have: the parsers that kubelet v1.20 and v1.36 vendor differ in two texts. */
export type ReferenceDialect = 'v1.20' | 'v1.36';

const defaultDomain = 'docker.io';
const legacyDefaultDomain = 'index.docker.io';
const officialPrefix = 'library/';
const maxNameLength = 255;

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const path = `${component}(?:/${component})*`;
const tagPart = '[\\w][\\w.-]{0,127}';
const digestPart = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const referencePattern = new RegExp(`^(?:(${domain})/)?(${path})(?::(${tagPart}))?(?:@(${digestPart}))?$`);
const identifierPattern = /^[a-f0-9]{64}$/;
const digestLengths = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** Splits off the registry: what stands before the first slash, if it can only be a host. Upstream: splitDockerDomain. */
function splitDomain(text: string): { domain: string; rest: string } {
  const slash = text.indexOf('/');
  const first = slash < 0 ? '' : text.slice(0, slash);
  const isDomain = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first;
  const host = isDomain && first !== legacyDefaultDomain ? first : defaultDomain;
  const rest = isDomain ? text.slice(slash + 1) : text;
  return { domain: host, rest: host === defaultDomain && !rest.includes('/') ? officialPrefix + rest : rest };
}

function checkDigest(digest: string): void {
  const colon = digest.indexOf(':');
  const length = digestLengths.get(digest.slice(0, colon));
  const encoded = digest.slice(colon + 1);
  if (length === undefined) throw new ImageReferenceError('unsupported digest algorithm');
  if (encoded.length !== length) throw new ImageReferenceError('invalid checksum digest length');
  if (!/^[a-f0-9]+$/.test(encoded)) throw new ImageReferenceError('invalid checksum digest format');
}

const suffix = (tag: string | undefined, digest: string | undefined): string => `${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;

/** The short form of a normalised name. Upstream: familiarizeName. */
function familiarize(host: string, repository: string): string {
  if (host !== defaultDomain) return `${host}/${repository}`;
  const short = repository.slice(officialPrefix.length);
  // "library/a/b" must keep its prefix, and so must a name whose first part would be taken for a host.
  return repository.startsWith(officialPrefix) && !short.includes('/') ? short : repository;
}

/**
 * Reads an image reference, filling in Docker's default registry and repository prefix.
 * Upstream: reference.ParseNormalizedNamed (distribution/reference v0.6; dialect v1.20: docker/distribution v2.7).
 * @throws ImageReferenceError in the parser's words.
 */
export function parseImageReference(text: string, dialect: ReferenceDialect = 'v1.36'): ImageReference {
  if (identifierPattern.test(text)) throw new ImageReferenceError(`invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`);
  const split = splitDomain(text);
  const remote = split.rest.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) {
    const which = dialect === 'v1.36' ? ` (${remote})` : '';
    throw new ImageReferenceError(`invalid reference format: repository name${which} must be lowercase`);
  }
  const full = `${split.domain}/${split.rest}`;
  const match = referencePattern.exec(full);
  if (!match) {
    const lowerFits = referencePattern.test(full.toLowerCase());
    throw new ImageReferenceError(lowerFits ? 'repository name must be lowercase' : 'invalid reference format');
  }
  const [, host = split.domain, repository = '', tag, digest] = match;
  const name = `${host}/${repository}`;
  if ((dialect === 'v1.36' ? repository : name).length > maxNameLength) {
    throw new ImageReferenceError(`repository name must not be more than ${maxNameLength} characters`);
  }
  if (digest) checkDigest(digest);
  const familiarName = familiarize(host, repository);
  const rest = suffix(tag, digest);
  return { domain: host, path: repository, tag, digest, name, familiarName, normalized: name + rest, familiar: familiarName + rest };
}

/**
 * Appends `:latest` to a reference that has neither tag nor digest; leaves everything else of the text as it is.
 * Upstream: applyDefaultImageTag (pkg/kubelet/images/image_manager.go, v1.36 and v1.20).
 * @throws ImageReferenceError `couldn't parse image name "…": <why>` (dialect v1.20: `image reference`).
 */
export function applyDefaultImageTag(image: string, dialect: ReferenceDialect = 'v1.36'): string {
  try {
    const { tag, digest } = parseImageReference(image, dialect);
    return tag || digest ? image : `${image}:latest`;
  } catch (cause) {
    const what = dialect === 'v1.36' ? 'image name' : 'image reference';
    throw new ImageReferenceError(`couldn't parse ${what} ${JSON.stringify(image)}: ${(cause as Error).message}`, { cause });
  }
}
