import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protocolVersion, serverMessageSchema } from '@podscope/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let page: string;

beforeAll(async () => {
  page = await mkdtemp(join(tmpdir(), 'podscope-page-'));
  await mkdir(join(page, 'assets'));
  await writeFile(join(page, 'index.html'), '<!doctype html><title>the page</title>');
  await writeFile(join(page, 'assets', 'app.js'), 'export {};');
  await writeFile(join(page, '.sources'), 'hash');
  server = await startTestServer([], page);
});

afterAll(async () => {
  await server.dispose();
  await rm(page, { recursive: true, force: true });
});

const cookieOf = (header: string | readonly string[] | undefined): string => String(header).split(';')[0] ?? '';

describe('the token', () => {
  it('is required for everything except health checks', async () => {
    for (const path of ['/', '/assets/app.js', '/nothing']) {
      const answer = await server.request('GET', path, { headers: { Authorization: '' } });
      expect(answer.status).toBe(401);
      expect(answer.headers['content-type']).toContain('text/plain');
    }
    const api = await server.request('GET', '/api/v1/pods', { headers: { Authorization: 'Bearer wrong' } });
    expect(api).toMatchObject({ status: 401, json: { kind: 'Status', reason: 'Unauthorized', code: 401 } });
    expect(await server.request('GET', '/healthz', { headers: { Authorization: '' } })).toMatchObject({
      status: 200,
      text: 'ok',
    });
  });

  it('is exchanged for a cookie and removed from the address', async () => {
    const answer = await server.request('GET', `/pods?token=${server.token}&pod=web`, {
      headers: { Authorization: '' },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/pods?pod=web');
    expect(answer.headers['cache-control']).toBe('no-store');
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(new RegExp(`^podscope-${server.port}=${server.token}; Path=/; HttpOnly; SameSite=Strict$`));
    const opened = await server.request('GET', '/', { headers: { Authorization: '', Cookie: cookieOf(cookie) } });
    expect(opened).toMatchObject({ status: 200, text: expect.stringContaining('the page') });
  });

  it('opens the page also after a click on a link of another site', async () => {
    const headers = { Authorization: '', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    const answer = await server.request('GET', `/?token=${server.token}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<meta http-equiv="refresh" content="0;url=/">');
  });

  it('is rejected with a hint if it is wrong', async () => {
    expect(await server.request('GET', '/?token=wrong', { headers: { Authorization: '' } })).toMatchObject({
      status: 401,
      text: expect.stringContaining('open the address'),
    });
  });

  it('is requested with a form that keeps the view, when a browser opens the page without a token', async () => {
    const headers = { Authorization: '', Accept: 'text/html' };
    const answer = await server.request('GET', '/?pod=default/web&tab="><script>', { headers });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('<h1>Enter the access token</h1>');
    expect(answer.text).toContain('<input type="hidden" name="pod" value="default/web">');
    expect(answer.text).not.toContain('<script>');
    expect(answer.headers['content-security-policy']).toMatch(
      /default-src 'none'; style-src 'sha256-.*form-action 'self'/,
    );
  });

  it('is requested again, in the language of the browser, when it is wrong', async () => {
    const headers = { Authorization: '', Accept: 'text/html', 'Accept-Language': 'zh-CN,zh;q=0.9' };
    const answer = await server.request('GET', '/?token=old', { headers });
    expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('此令牌无效') });
    expect(answer.text).not.toContain('old');
  });

  it('is accepted as part of the whole address that the server printed', async () => {
    const printed = encodeURIComponent(`http://127.0.0.1:4400/?token=${server.token}`);
    const answer = await server.request('GET', `/?pod=web&token=${printed}`, { headers: { Authorization: '' } });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/?pod=web');
  });

  it('redirects to no other host', async () => {
    const answer = await server.request('GET', `//evil.example/?token=${server.token}`, {
      headers: { Authorization: '' },
    });
    expect(answer.headers.location).toBe('/');
  });
});

describe('access checks', () => {
  it.each([
    ['Host', 'evil.example', 421],
    ['Host', '127.0.0.1:1', 421],
    ['Origin', 'http://evil.example', 403],
    ['Origin', 'null', 403],
    ['Sec-Fetch-Site', 'cross-site', 403],
  ])('rejects the %s header %s', async (name, value, status) => {
    for (const path of ['/', '/api/v1/pods', '/healthz']) {
      const answer = await server.request('GET', path, { headers: { [name]: value } });
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toContain('text/plain');
    }
  });

  it('accepts requests of its own page', async () => {
    const headers = { Host: `localhost:${server.port}`, Origin: `http://localhost:${server.port}` };
    expect((await server.request('GET', '/api/v1/pods', { headers })).status).toBe(200);
  });
});

describe('the page', () => {
  it('is served with strict security headers', async () => {
    const { headers, text } = await server.request('GET', '/');
    expect(text).toContain('the page');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cache-control': 'no-cache',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('caches hashed files forever, and responds to deep links', async () => {
    expect((await server.request('GET', '/assets/app.js')).headers['cache-control']).toContain('immutable');
    expect(await server.request('GET', '/pods/default/web')).toMatchObject({
      status: 200,
      text: expect.stringContaining('the page'),
    });
    expect((await server.request('GET', '/assets/none.js')).status).toBe(404);
    expect((await server.request('GET', '/.sources')).status).toBe(404);
    expect((await server.request('GET', '/../package.json')).status).toBe(404);
  });
});

/** Opens the stream. Resolves with the first message, or with the status if the server rejects the upgrade. */
function openStream(headers: Record<string, string>, path = '/stream'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion })));
    socket.on('message', (data) => {
      resolve(serverMessageSchema.parse(JSON.parse((data as Buffer).toString('utf8'))));
      socket.close();
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    socket.on('error', reject);
  });
}

describe('the stream', () => {
  it('welcomes clients with the token', async () => {
    expect(await openStream({ Authorization: `Bearer ${server.token}` })).toMatchObject({
      type: 'welcome',
      node: { nodeName: 'podscope', runtime: { kind: 'sim' }, profile: 'v1.36', kubeconfig: server.kubeconfigPath },
    });
    expect(
      await openStream({
        Cookie: `podscope-${server.port}=${server.token}`,
        Origin: `http://127.0.0.1:${server.port}`,
      }),
    ).toMatchObject({
      type: 'welcome',
    });
  });

  it('rejects other clients', async () => {
    expect(await openStream({})).toBe(401);
    expect(await openStream({ Authorization: `Bearer ${server.token}`, Origin: 'http://evil.example' })).toBe(403);
    expect(await openStream({ Authorization: `Bearer ${server.token}`, Host: 'evil.example' })).toBe(421);
    expect(await openStream({ Authorization: `Bearer ${server.token}` }, '/other')).toBe(404);
  });
});

/** Sends bytes and resolves with the response when the server closes the connection. */
const exchange = (bytes: string | Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    );
  });

describe('the port', () => {
  it.each([
    ['nothing', ''],
    ['noise', 'hello\r\n\r\n'],
    ['a broken TLS handshake', Uint8Array.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])],
    ['headers without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n`],
  ])('survives %s', async (_name, bytes) => {
    await exchange(bytes);
    expect((await server.request('GET', '/healthz')).status).toBe(200);
  });
});
