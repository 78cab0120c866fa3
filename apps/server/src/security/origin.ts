/**
 * Which names this server answers to, and which pages may talk to it. A page of another site that had its name resolve to 127.0.0.1 (DNS
 * rebinding) shows itself in the Host header, a cross-site request in Origin.
 */

/** The names and port under which this server may be addressed. */
export interface Address {
  /** What it listens on. */
  readonly host: string;
  readonly port: number;
  /** Further names it answers to: those of a certificate of the user's own. */
  readonly names?: readonly string[];
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Host headers that are answered. When it listens everywhere, any name that isn't a domain of somebody's: an IP address. */
export function isAllowedHost(header: string | undefined, { host, port, names: others = [] }: Address): boolean {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(header ?? '');
  if (!match?.[1]) return false;
  const name = match[1].toLowerCase();
  if (match[2] !== undefined && Number(match[2]) !== port) return false;
  const names = ['127.0.0.1', 'localhost', '[::1]', ...[host, ...others].map((each) => bracketed(each).toLowerCase())];
  if (names.includes(name)) return true;
  return isWildcard(host) && (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.startsWith('['));
}

/** True for the addresses that stand for all of the machine's. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** True when a request's Origin is this server itself. Requests that aren't made by a page carry none. */
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
