/**
 * Handles the secret token that grants access to the server. The token is generated at each start, compared in constant
 * time, and printed only as part of the URL.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Returns the name of the token's cookie. The name contains the port, because browsers send a cookie to all ports of a
 * host.
 */
export const cookieName = (port: number): string => `podscope-${port}`;

/** Returns 32 random bytes in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares tokens. The comparison takes constant time, so its duration doesn't reveal a common prefix. */
export const tokensEqual = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

/** Returns the value of a cookie in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** Returns the token of an `Authorization: Bearer` header. */
export const readBearer = (header: string | undefined): string | undefined =>
  /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];

/** Returns a number in [0, 1) from the system's random source, so that ids made from it can't be guessed. */
export const cryptoRandom = (): number => randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
