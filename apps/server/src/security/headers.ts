/** Sets security headers that prevent other sites from embedding the page or reading from it. */
import { contentSecurityPolicy } from '@podscope/protocol';
import type { RequestHandler } from 'express';

const policy = [...contentSecurityPolicy, "frame-ancestors 'none'"].join('; ');

/** Sets the headers on every response. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  next();
};
