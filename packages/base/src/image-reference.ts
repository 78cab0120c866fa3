/**
 * Parses image references (`[domain/]path[:tag][@digest]`) with the error messages of Docker and the kubelet.
 * Upstream: github.com/distribution/reference (ParseNormalizedNamed) as vendored by the kubelet, and the kubelet's
 * applyDefaultImageTag.
 */
import { errorMessage } from './errors.ts';

/** A parsed image reference. */
export interface ImageReference {
  /** The registry's host, with its port if the reference has one: `docker.io`, `127.0.0.1:5000`. */
  readonly domain: string;
  /** The repository in the registry: `library/busybox`. */
  readonly path: string;
  readonly tag?: string;
  /** The digest, for example `sha256:…`. */
  readonly digest?: string;
  /** Domain and path: `docker.io/library/busybox`. */
  readonly name: string;
  /** The name without Docker's defaults, as `docker images` shows it: `busybox`. */
  readonly familiarName: string;
  /**
   * The whole reference with Docker's default registry and prefix filled in; a missing tag stays missing:
   * `docker.io/library/busybox:1.36`.
   */
  readonly normalized: string;
  /** The whole reference without Docker's defaults: `busybox:1.36`. */
  readonly familiar: string;
}

/** Thrown when a text isn't an image reference. The message is the Go parser's: `invalid reference format`. */
export class ImageReferenceError extends Error {
  override readonly name = 'ImageReferenceError';
}

/**
 * The kubelet release whose error messages are used. The parsers vendored by v1.20 and v1.36 differ in two messages.
 */
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

/**
 * Splits off the registry. The part before the first slash is a registry if it can only be a host. Upstream:
 * splitDockerDomain.
 */
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

const suffix = (tag: string | undefined, digest: string | undefined): string =>
  `${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;

/** Returns the short form of a normalized name. Upstream: familiarizeName. */
function familiarize(host: string, repository: string): string {
  if (host !== defaultDomain) return `${host}/${repository}`;
  const short = repository.slice(officialPrefix.length);
  // `library/a/b` keeps its prefix: the short form `a/b` would name another repository, `docker.io/a/b`.
  return repository.startsWith(officialPrefix) && !short.includes('/') ? short : repository;
}

/**
 * Parses an image reference and fills in Docker's default registry and repository prefix. A missing tag stays missing.
 * Upstream: reference.ParseNormalizedNamed (distribution/reference v0.6; dialect v1.20: docker/distribution v2.7).
 * @throws ImageReferenceError with the Go parser's message.
 */
export function parseImageReference(text: string, dialect: ReferenceDialect = 'v1.36'): ImageReference {
  if (identifierPattern.test(text))
    throw new ImageReferenceError(`invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`);
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
  return {
    domain: host,
    path: repository,
    tag,
    digest,
    name,
    familiarName,
    normalized: name + rest,
    familiar: familiarName + rest,
  };
}

/**
 * Parses an image reference like {@link parseImageReference}; returns undefined for a text that isn't an image
 * reference.
 */
export function readImageReference(text: string): ImageReference | undefined {
  try {
    return parseImageReference(text);
  } catch {
    return undefined;
  }
}

/**
 * Appends `:latest` to a reference that has neither tag nor digest and leaves the rest of the text unchanged.
 * Upstream: applyDefaultImageTag (pkg/kubelet/images/image_manager.go, v1.36 and v1.20).
 * @throws ImageReferenceError `couldn't parse image name "…": <why>` (dialect v1.20: `image reference`).
 */
export function applyDefaultImageTag(image: string, dialect: ReferenceDialect = 'v1.36'): string {
  try {
    const { tag, digest } = parseImageReference(image, dialect);
    return tag || digest ? image : `${image}:latest`;
  } catch (cause) {
    const what = dialect === 'v1.36' ? 'image name' : 'image reference';
    throw new ImageReferenceError(`couldn't parse ${what} ${JSON.stringify(image)}: ${errorMessage(cause)}`, { cause });
  }
}
