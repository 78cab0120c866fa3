/** A built site for tests, from a folder: what any file host does with it. */
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PodscopeSite {
  /** Opens the page. */
  readonly url: string;
  stop(): Promise<void>;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Serves a folder that `build:site` made, on a free port of 127.0.0.1. @throws Error when there is no page in it */
export async function servePodscopeSite(folder: string): Promise<PodscopeSite> {
  const root = resolve(folder);
  if (!(await isFile(join(root, 'index.html')))) throw new Error(`${root} is no built site: make one with \`npx -y pnpm@12 build:site --out ${root}\``);
  const answer = async (path: string): Promise<{ readonly type: string; readonly body: Buffer } | undefined> => {
    // As a path from the root it can lead nowhere above it.
    const inside = normalize(join('/', decodeURIComponent(path)));
    const file = join(root, inside.endsWith('/') ? join(inside, 'index.html') : inside);
    return (await isFile(file)) ? { type: types[extname(file)] ?? 'application/octet-stream', body: await readFile(file) } : undefined;
  };
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://localhost').pathname).then(
      (found) => (found ? response.writeHead(200, { 'Content-Type': found.type }).end(found.body) : response.writeHead(404).end()),
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
}
