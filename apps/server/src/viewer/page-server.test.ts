/** Tests the page in a frame of an editor: the headers, the cookie, and the stream. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Simulation } from '@podscope/node/virtual';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../log.ts';
import { type PageServer, startPageServer } from './page-server.ts';

let directory: string;
const servers: PageServer[] = [];
const simulation = new Simulation({ seed: 1 });

const serve = async (frameAncestors?: readonly string[]): Promise<PageServer> => {
  const server = await startPageServer({
    source: simulation.nodeHost,
    port: 0,
    pageDirectory: directory,
    logger: createLogger('error'),
    ...(frameAncestors ? { frameAncestors } : {}),
  });
  servers.push(server);
  return server;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-page-server-'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>the page</title>');
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(directory, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Requests an address with headers that `fetch` would replace. */
async function get(url: string, headers: OutgoingHttpHeaders): Promise<Answer> {
  const sent = request(url, { headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

/** Opens the page as a browser does, in a frame of another site or in a window. */
const open = ({ url }: PageServer, destination: 'iframe' | 'document'): Promise<Answer> =>
  get(url, { 'Sec-Fetch-Dest': destination, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'cross-site' });

const cookieOf = ({ headers }: Answer): string => headers['set-cookie']?.[0] ?? '';

describe('a server for frames of VS Code', () => {
  it('names only the given pages around it, and sends a cookie that works in their frames', async () => {
    const server = await serve(['vscode-webview:', 'https://code.example:8443']);
    const framed = await open(server, 'iframe');
    expect(framed.headers['content-security-policy']).toMatch(
      /; frame-ancestors vscode-webview: https:\/\/code\.example:8443$/,
    );
    expect(framed.headers).not.toHaveProperty('x-frame-options');
    expect(cookieOf(framed)).toBe(
      `podscope-${server.port}=${server.token}; Path=/; HttpOnly; Secure; Partitioned; SameSite=None`,
    );
    const cookie = cookieOf(framed).split(';')[0];
    expect((await get(`http://127.0.0.1:${server.port}/`, { cookie })).text).toContain('the page');
  });

  it('sends the strict cookie to a window, and refuses requests of the page around the frame', async () => {
    const server = await serve(['vscode-webview:']);
    expect(cookieOf(await open(server, 'document'))).toMatch(/HttpOnly; SameSite=Strict$/);
    const headers = { Authorization: `Bearer ${server.token}`, Origin: 'vscode-webview://0a1b' };
    expect((await get(`http://127.0.0.1:${server.port}/`, headers)).status).toBe(403);
  });
});

it('accepts requests of the origin from which its port is forwarded, and of no other origin', async () => {
  const server = await serve();
  const address = `http://127.0.0.1:${server.port}/`;
  const forwarded = { Authorization: `Bearer ${server.token}`, Host: '4711.code.example' };
  expect((await get(address, forwarded)).status).toBe(421);
  server.forwardFrom('https://4711.code.example');
  expect((await get(address, forwarded)).text).toContain('the page');
  expect((await get(address, { ...forwarded, Origin: 'https://4711.code.example' })).status).toBe(200);
  expect((await get(address, { ...forwarded, Origin: 'https://code.example' })).status).toBe(421);
  expect((await get(address, { ...forwarded, Host: '4712.code.example' })).status).toBe(421);
});

it('forbids frames and sends the strict cookie without allowed pages', async () => {
  const framed = await open(await serve(), 'iframe');
  expect(framed.headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/);
  expect(framed.headers['x-frame-options']).toBe('DENY');
  expect(cookieOf(framed)).toMatch(/HttpOnly; SameSite=Strict$/);
});
