/**
 * Checks the Host and Origin headers of requests. The Host header reveals a page of another site whose name resolves to
 * 127.0.0.1 (DNS rebinding); the Origin header reveals a cross-site request.
 */

/** The host names and port at which this server may be addressed. */
export interface Address {
  /** The host that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Additional host names: those of a certificate given by the user. */
  readonly names?: readonly string[];
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * Returns true for a Host header that is accepted. A server that listens on all addresses accepts any IP address,
 * because no other site can own one as its domain.
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

/** Returns true when a request's Origin is this server itself, or absent because no page made the request. */
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

const portOf = (url: URL): number => (url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80);
