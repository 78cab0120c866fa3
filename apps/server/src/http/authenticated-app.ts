/** Builds the HTTP application. It checks origin, login and token before every route and before the page. */
import { unauthorized } from '@podscope/apiserver';
import type { CookieOptions, Express, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { sendStatus } from '../kubernetes-api/answers.ts';
import type { AccessControl } from '../security/access.ts';
import { answerErrors, baseApp } from './base-app.ts';
import { servePage } from './page.ts';
import { requestUrl } from './request-url.ts';
import { isNavigation, sendTokenPage, tokenIn } from './token-page.ts';

export interface AuthenticatedAppOptions {
  readonly access: AccessControl;
  readonly logger: Logger;
  /** The directory of the built page; undefined if no page is served. */
  readonly pageDirectory: string | undefined;
}

const isApiPath = (path: string): boolean => /^\/(api|apis|openapi|version|debug)(\/|$)/.test(path);

/** Returns an application that serves routes and the page to clients with the token. */
export function authenticatedApp(
  { access, logger, pageDirectory }: AuthenticatedAppOptions,
  routes: readonly RequestHandler[],
): Express {
  const app = baseApp(access);
  // Health checks need no token and reveal only that the server runs.
  app.get(['/healthz', '/livez', '/readyz'], (_request, response) => void response.type('text/plain').send('ok'));
  app.use(login(access));
  app.use(checkToken(access));
  for (const route of routes) app.use(route);
  app.use(servePage(pageDirectory));
  app.use(answerErrors(logger));
  return app;
}

/**
 * Exchanges the token in `/?token=…` for a cookie. The redirect removes the token from the address bar, the history and
 * the Referer.
 */
export const login =
  (access: AccessControl): RequestHandler =>
  (request, response, next) => {
    const url = requestUrl(request);
    const given = url.searchParams.get('token');
    if (request.method !== 'GET' || given === null || isApiPath(url.pathname)) {
      next();
      return;
    }
    const token = tokenIn(given);
    response.setHeader('Cache-Control', 'no-store');
    if (!access.isToken(token)) {
      if (isNavigation(request)) {
        sendTokenPage(request, response, 'invalid');
        return;
      }
      response
        .status(401)
        .type('text/plain')
        .send(
          'This token is not (or no longer) good: open the address that the server printed when it last started.\n',
        );
      return;
    }
    url.searchParams.delete('token');
    // Leading slashes are collapsed, because `//host` would redirect to another host.
    const target = `/${url.pathname.replace(/^\/+/, '')}${url.search}`;
    response.cookie(access.cookieName, token, {
      httpOnly: true,
      path: '/',
      encode: String,
      ...cookieScope(access, request),
    });
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      // Don't send a redirect. After a click on a link of another site, browsers would treat the redirect as a
      // cross-site request, and wouldn't send the cookie. A navigation by this page does send it.
      const escaped = target.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
      response
        .type('text/html')
        .send(`<!doctype html><meta http-equiv="refresh" content="0;url=${escaped}"><title>Podscope</title>`);
    } else response.redirect(303, target);
  };

/**
 * Returns the cookie attributes that decide with which requests browsers send the cookie. Inside a frame of another
 * site, browsers send only a cookie with `SameSite=None`. The cookie is partitioned, so browsers send it only if the
 * outer page is the same. Requests of other sites are still rejected because of their Origin header.
 */
const cookieScope = ({ frameAncestors }: AccessControl, { protocol, headers }: Request): CookieOptions =>
  frameAncestors.length > 0 && headers['sec-fetch-dest'] === 'iframe'
    ? { sameSite: 'none', secure: true, partitioned: true }
    : { sameSite: 'strict', secure: protocol === 'https' };

const checkToken =
  (access: AccessControl): RequestHandler =>
  (request, response, next) => {
    const refusal = access.checkToken(request);
    if (!refusal) next();
    else if (isApiPath(request.path)) sendStatus(response, unauthorized());
    else if (isNavigation(request)) sendTokenPage(request, response, 'missing');
    else response.status(refusal.status).type('text/plain').send(refusal.message);
  };
