/**
 * Checks the Host and Origin headers of requests. The Host header reveals that a page of another site resolved its own
 * host name to 127.0.0.1 (DNS rebinding). The Origin header reveals a request that a page of another site makes.
 */

/** The host names and the port that requests may use to address this server. */
export interface Address {
  /** The host that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Additional host names, from a certificate that the user provides. */
  readonly names?: readonly string[];
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * Returns true for an accepted Host header. A server that listens on all addresses accepts any IP address, because
 * another site can't use an IP address as its domain.
 */
export function isAllowedHost(header: string | undefined, { host, port, names: others = [] }: Address): boolean {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(header ?? '');
  if (!match?.[1]) return false;
  const name = match[1].toLowerCase();
  if (match[2] !== undefined && Number(match[2]) !== port) return false;
  const names = ['127.0.0.1', 'localhost', '[::1]', ...[host, ...others].map((each) => bracketed(each).toLowerCase())];
  if (names.includes(name)) return true;
  return isWildcard(host) && (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.startsWith('['));
}

/** Returns true for the wildcard addresses. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/**
 * Returns true if the request's Origin is this server. Also returns true if the request has no Origin, because then no
 * page made it.
 */
export function isAllowedOrigin(origin: string | undefined, hostHeader: string | undefined, address: Address): boolean {
  if (origin === undefined) return true;
  let url: URL;
  try {
    url = new URL(origin);
  } catch {
    return false;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  return (
    url.host.toLowerCase() === (hostHeader ?? '').toLowerCase() &&
    isAllowedHost(url.host, { ...address, port: portOf(url) === address.port ? address.port : -1 })
  );
}

/**
 * Returns true if the request reached this server through a forwarded port: its Host header belongs to one of the
 * forwarded origins, and its Origin header is absent or equals that origin.
 */
export const isForwarded = (
  origin: string | undefined,
  hostHeader: string | undefined,
  origins: ReadonlySet<string>,
): boolean =>
  [...origins].some(
    (each) => new URL(each).host === hostHeader?.toLowerCase() && (origin === undefined || origin === each),
  );

const portOf = (url: URL): number => (url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80);
