/** The secret that opens the server: made anew at each start, compared in constant time, never printed but in the URL it is part of. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Name of the cookie that carries the token; ports share cookies, so it names its port. */
export const cookieName = (port: number): string => `podscope-${port}`;

/** 32 random bytes in base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares without telling by its time how much of the two is alike. */
export const tokensEqual = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

/** The value of a cookie in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/** The token of an `Authorization: Bearer` header. */
export const readBearer = (header: string | undefined): string | undefined => /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];

/** A number in [0, 1) from the system's randomness: ids made of it can't be guessed. */
export const cryptoRandom = (): number => randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
