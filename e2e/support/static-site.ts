/** A plain file host: the built site below a sub-path, and nothing else. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';

const cli = resolve(import.meta.dirname, '../../apps/cli/src/main.ts');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface StaticSite {
  /** Where the page is: below a sub-path. */
  readonly url: string;
  /** Paths that were asked for since the last call. */
  takeRequests(): readonly string[];
  /** The host is gone: connections are refused. */
  stop(): Promise<void>;
}

/** Builds the site into a directory, by the command that people use. @returns what it printed */
export async function buildSite(directory: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'build:site', '--out', directory]);
  return stdout;
}

/** Serves a directory below `/school/podscope/`. */
export async function serveSite(directory: string): Promise<StaticSite> {
  const prefix = '/school/podscope/';
  let requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(pathname);
    const serve = async (): Promise<void> => {
      const path = normalize(pathname.slice(prefix.length));
      const file = join(directory, path === '.' || path === '' ? 'index.html' : path);
      if (!pathname.startsWith(prefix) || path.startsWith('..') || !(await stat(file).catch(() => undefined))?.isFile()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(await readFile(file));
    };
    void serve();
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
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
