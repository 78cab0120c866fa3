/** Sets security headers that prevent other sites from embedding the page or reading from it. */
import { contentSecurityPolicy } from '@podscope/protocol';
import type { RequestHandler } from 'express';

/**
 * Returns a handler that sets the headers on every response.
 * @param frameAncestors sources of the pages that may show this server's pages in a frame; empty if none may. Browsers
 * compare every page around the frame, up to the window, with this list.
 */
export function securityHeaders(frameAncestors: readonly string[]): RequestHandler {
  const isFramed = frameAncestors.length > 0;
  const ancestors = isFramed ? frameAncestors.join(' ') : "'none'";
  const policy = [...contentSecurityPolicy, `frame-ancestors ${ancestors}`].join('; ');
  return (_request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    // Send this older header only if no page may frame this one, because the header can't name sites.
    if (!isFramed) response.setHeader('X-Frame-Options', 'DENY');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    next();
  };
}
