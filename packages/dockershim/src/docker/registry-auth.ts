/** Encodes registry credentials for the Docker Engine. */
import { type AuthConfig, CriError } from '@podscope/cri';

/**
 * Returns the value of the header `X-Registry-Auth`, which is JSON in base64url. `auth` (base64 of `user:password`) is
 * used if user and password are missing.
 * @throws CriError InvalidArgument for an invalid `auth`
 */
export function registryAuthHeader(auth: AuthConfig = {}): string {
  const decoded = auth.auth && !auth.username ? decodeBasicAuth(auth.auth) : undefined;
  const fields = {
    username: auth.username || decoded?.username,
    password: auth.password || decoded?.password,
    serveraddress: auth.serverAddress,
    identitytoken: auth.identityToken,
    registrytoken: auth.registryToken,
  };
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
  // Docker's client ends the JSON with a line feed and pads the base64, too.
  return Buffer.from(`${JSON.stringify(known)}\n`)
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function decodeBasicAuth(auth: string): { username: string; password: string } {
  const text = Buffer.from(auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0)
    throw new CriError('InvalidArgument', 'invalid registry credentials: auth is not base64 of "user:password"');
  return { username: text.slice(0, colon), password: text.slice(colon + 1).replace(/\0+$/, '') };
}
