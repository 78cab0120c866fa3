/** Serves a built site from a folder for tests, like any static file host. */
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Returns true for content types that hosts compress with gzip. */
const isText = (type: string): boolean => /^text\/|json$|svg/.test(type);

export interface PodscopeSiteOptions {
  /** The path of the folder on the host, with a slash at both ends: `/school/podscope/`. Default: `/`. */
  readonly base?: string;
  /** Headers sent with every file, such as the host's own content security policy. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PodscopeSite {
  /** The address of the page. */
  readonly url: string;
  /** Returns the paths requested since the last call, as the browser sent them. */
  takeRequests(): readonly string[];
  /** Stops the host: connections are refused. */
  stop(): Promise<void>;
}

interface SiteFile {
  readonly type: string;
  readonly modified: number;
  readonly body: Buffer;
  readonly zipped: Buffer | undefined;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** Returns a function that reads files and caches their compressed content until they change. */
function siteReader(root: string): (path: string) => Promise<SiteFile | undefined> {
  const kept = new Map<string, SiteFile>();
  return async (path) => {
    // An absolute path can't lead out of the folder.
    const inside = normalize(join('/', path));
    const file = join(root, inside.endsWith('/') ? join(inside, 'index.html') : inside);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const known = kept.get(file);
    if (known?.modified === found.mtimeMs) return known;
    const type = types[extname(file)] ?? 'application/octet-stream';
    const body = await readFile(file);
    const read = {
      type,
      modified: found.mtimeMs,
      body,
      zipped: isText(type) ? await promisify(gzip)(body) : undefined,
    };
    kept.set(file, read);
    return read;
  };
}

/**
 * Handles requests for the files of a folder, compressed if the client accepts gzip. Redirects the base path without
 * its trailing slash.
 */
export function siteHandler(
  folder: string,
  { base = '/', headers = {} }: PodscopeSiteOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const read = siteReader(resolve(folder));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname);
    if (`${path}/` === base) {
      response.writeHead(301, { Location: `${pathname}/${search}` }).end();
      return;
    }
    const file = path.startsWith(base) ? await read(path.slice(base.length)) : undefined;
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') ? file.zipped : undefined;
    response
      .writeHead(200, {
        'Content-Type': file.type,
        ...(zipped ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {}),
        ...headers,
      })
      .end(zipped ?? file.body);
  };
  return (request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  };
}

/** Serves a folder built by `build:site` on a free port of 127.0.0.1. @throws Error if it contains no page */
export async function servePodscopeSite(folder: string, options: PodscopeSiteOptions = {}): Promise<PodscopeSite> {
  const root = resolve(folder);
  if (!(await isFile(join(root, 'index.html'))))
    throw new Error(`${root} is not a built site: create one with \`npx -y pnpm@12 build:site --out ${root}\``);
  const handle = siteHandler(root, options);
  let requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '/', 'http://localhost').pathname);
    handle(request, response);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    url: new URL(options.base ?? '/', `http://127.0.0.1:${address.port}`).href,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
}
