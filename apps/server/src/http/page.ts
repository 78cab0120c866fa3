/** Serves the built page. Browsers cache files with a hash in their name forever, and revalidate the page itself. */
import { sep } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { pageFile } from '../repository.ts';

const notBuilt = 'The page has not been built. Start the server without --no-build.\n';

/** Serves the files of a directory, and its index for every other path that a browser navigates to. */
export function servePage(directory: string | undefined): RequestHandler {
  const router = Router();
  if (directory === undefined) {
    router.get('/', (_request, response) => void response.status(503).type('text/plain').send(notBuilt));
    router.use(notFound);
    return router;
  }
  router.use(
    express.static(directory, {
      index: false,
      redirect: false,
      dotfiles: 'ignore',
      setHeaders: (response, path) => {
        const hashed = path.includes(`${sep}assets${sep}`);
        response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  router.get('/{*path}', (request, response, next) => {
    if (!request.accepts('html') || /\.\w+$/.test(request.path)) {
      next();
      return;
    }
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile(pageFile, { root: directory }, (error?: Error) => {
      if (error && !response.headersSent) response.status(503).type('text/plain').send(notBuilt);
    });
  });
  router.use(notFound);
  return router;
}

const notFound: RequestHandler = (_request, response) =>
  void response.status(404).type('text/plain').send('There is nothing here.\n');
