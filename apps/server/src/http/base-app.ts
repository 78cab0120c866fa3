/**
 * Provides the parts that all HTTP applications share: headers, the origin check, and the response to a failed request.
 */
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from 'pino';
import type { AccessControl } from '../security/access.ts';
import { securityHeaders } from '../security/headers.ts';

/** Returns an application without routes. It sends the security headers, and rejects requests of other origins. */
export function baseApp(access: AccessControl): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(securityHeaders(access.frameAncestors));
  app.use((request, response, next) => {
    const refusal = access.checkOrigin(request);
    if (refusal) response.status(refusal.status).type('text/plain').send(refusal.message);
    else next();
  });
  return app;
}

/** Returns the last handler of an application: logs the error of a route and answers with status 500. */
export const answerErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error: Error, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    logger.error({ err: error, path: request.path }, 'request failed');
    response.status(500).type('text/plain').send('The server failed to answer; its log on stderr says why.\n');
  };
