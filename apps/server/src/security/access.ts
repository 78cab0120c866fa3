/** Decides for every HTTP request and every upgrade whether it is allowed. */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Address, isAllowedHost, isAllowedOrigin, isForwarded } from './origin.ts';
import { cookieName, readBearer, readCookie, tokensEqual } from './token.ts';

/** The status and the reason with which a request is rejected. The message is sent as a plain-text response. */
export interface Refusal {
  readonly status: 401 | 403 | 421;
  readonly message: string;
}

const isEncrypted = ({ socket }: IncomingMessage): boolean =>
  (socket as Partial<TLSSocket> | undefined)?.encrypted === true;

/** Checks requests against the server's address and token. */
export class AccessControl {
  readonly #token: string;
  readonly #address: () => Address;
  /** Sources of the pages that may show this server's pages in a frame. */
  readonly frameAncestors: readonly string[];
  /** Origins under which a trusted program, such as VS Code, forwards this server's port. */
  readonly forwardedOrigins = new Set<string>();

  /**
   * @param address returns the server's address. It is called for each request, because the port isn't known before the
   * server listens
   * @param frameAncestors sources of the pages that may show this server's pages in a frame; default: none
   */
  constructor(token: string, address: () => Address, frameAncestors: readonly string[] = []) {
    this.#token = token;
    this.#address = address;
    this.frameAncestors = frameAncestors;
  }

  get cookieName(): string {
    return cookieName(this.#address().port);
  }

  /**
   * Checks that the request is addressed to this server, and that it comes from the server's own page or not from a
   * page at all.
   */
  checkOrigin(request: IncomingMessage): Refusal | undefined {
    const address = this.#address();
    const { host, origin } = request.headers;
    const forwarded = isForwarded(origin, host, this.forwardedOrigins);
    if (!forwarded && !isAllowedHost(host, address))
      return {
        status: 421,
        message: `This server does not answer to the name in the Host header. Use http://127.0.0.1:${address.port}/ or start it with --host.\n`,
      };
    // A page that was loaded over plain HTTP may have been modified on the way. So the origin must
    // have the same scheme as the request.
    const scheme = isEncrypted(request) ? 'https:' : 'http:';
    if (!forwarded && (!isAllowedOrigin(origin, host, address) || (origin !== undefined && !origin.startsWith(scheme))))
      return { status: 403, message: 'Requests from pages of another site are refused.\n' };
    // Browsers send Sec-Fetch-Site even with requests that have no Origin header. A link on another site (mode
    // `navigate`) is allowed, because it only loads a page.
    const site = request.headers['sec-fetch-site'];
    if ((site === 'cross-site' || site === 'same-site') && request.headers['sec-fetch-mode'] !== 'navigate') {
      return { status: 403, message: 'Requests from pages of another site are refused.\n' };
    }
    return undefined;
  }

  /** Checks that the request contains the token, as a bearer token or in the cookie. */
  checkToken(request: IncomingMessage): Refusal | undefined {
    const bearer = readBearer(request.headers.authorization);
    const given = bearer ?? readCookie(request.headers.cookie, this.cookieName);
    if (given !== undefined && this.isToken(given)) return undefined;
    return { status: 401, message: 'A token is needed: open the address that the server printed when it started.\n' };
  }

  isToken(given: string): boolean {
    return tokensEqual(given, this.#token);
  }
}
