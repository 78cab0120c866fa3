/** Generates the join code of a class and the links that contain the code. */
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { networkAddresses } from '../os/network-addresses.ts';
import { isWildcard } from '../security/origin.ts';

/** Letters and digits, without those that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const length = 6;

/**
 * Returns a code of 6 characters that can be read aloud. With 31 possible characters, there are about 890 million
 * codes.
 */
export const newJoinCode = (): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');

/** Returns the names by which other machines may be able to reach this one. */
export const machineNames = (): readonly string[] => {
  const name = hostname().toLowerCase();
  return name.includes('.') ? [name] : [name, `${name}.local`];
};

export interface LinkOptions {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Host names of the teacher's certificate. */
  readonly names: readonly string[];
  /** Address of the static site, if learners load the page from there. */
  readonly site: string | undefined;
}

/** Returns the addresses at which learners reach the server, the most useful first. */
function originsOf({ host, port, isSecure, names }: LinkOptions): readonly string[] {
  const hosts = names.length > 0 ? names : isWildcard(host) ? networkAddresses() : [host];
  const reachable = hosts.length > 0 ? hosts : ['127.0.0.1'];
  return reachable.map((each) => `${isSecure ? 'https' : 'http'}://${each.includes(':') ? `[${each}]` : each}:${port}`);
}

/** Returns the join links: first the one on the static site, if a site is given, then those on this server. */
export function joinLinks(code: string, options: LinkOptions): readonly string[] {
  const origins = originsOf(options);
  const own = origins.map((origin) => `${origin}/?class=${code}`);
  if (options.site === undefined) return own;
  const site = new URL(options.site);
  site.search = '';
  return [...origins.map((origin) => `${site.href}?class=${code}&server=${encodeURIComponent(origin)}`), ...own];
}
