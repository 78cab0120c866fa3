/** Sends requests that the server must reject to all of its routes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocolVersion } from '@podscope/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rawRequest, upgradeHeaders } from '../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '600'] }] },
};
const inPod = (rest: string): string => `/api/v1/namespaces/default/pods/web/${rest}`;
const upgrades = [
  '/stream',
  inPod('exec?command=id&stdout=1'),
  inPod('attach?stdout=1'),
  inPod('portforward?ports=80'),
  // The kubelet's own paths are available only through the API's node proxy, which doesn't forward upgrades.
  '/api/v1/nodes/podscope/proxy/exec/default/web/app',
];
const pages = [
  '/',
  '/healthz',
  '/api/v1/pods',
  '/apis',
  '/version',
  '/openapi/v2',
  '/debug/v1/state',
  '/runs',
  '/pods',
  '/configz',
  '/metrics',
  '/stats/summary',
];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.request('POST', '/api/v1/namespaces/default/pods', { body: pod });
});
afterAll(() => server.dispose());

const unauthorizedClients: readonly (readonly [
  string,
  Readonly<Record<string, string | undefined>>,
  readonly number[],
])[] = [
  ['a name that leads here (DNS rebinding)', { Host: 'evil.example:4400' }, [421]],
  ['another port’s name', { Host: '127.0.0.1:1' }, [421]],
  ['no Host', { Host: undefined }, [400, 421]],
  ['a page of another site', { Origin: 'http://evil.example' }, [403]],
  ['a page of another port', { Origin: 'http://127.0.0.1:1' }, [403]],
  ['a page without an origin', { Origin: 'null' }, [403]],
  ['a file', { Origin: 'file://' }, [403]],
  [
    'a request that a page of another site makes',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
    [403],
  ],
  ['a request of a page beside', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'websocket' }, [403]],
];

describe.each(unauthorizedClients)('%s', (_name, headers, statuses) => {
  const withToken = (): Readonly<Record<string, string | undefined>> => ({
    Authorization: `Bearer ${server.token}`,
    Connection: 'close',
    ...headers,
  });

  it('gets no upgrade, with or without the token', async () => {
    for (const kind of ['websocket', 'SPDY/3.1'] as const) {
      for (const path of upgrades) {
        const answer = await rawRequest({
          port: server.port,
          path,
          headers: { ...withToken(), ...upgradeHeaders(kind) },
        });
        expect(statuses, `${kind} ${path}: ${answer.text}`).toContain(answer.status);
      }
    }
  });

  it('gets neither the page nor a response of the API', async () => {
    for (const path of pages) {
      const answer = await rawRequest({ port: server.port, path, headers: withToken() });
      expect(statuses, `${path}: ${answer.text}`).toContain(answer.status);
      expect(answer.text).not.toContain('podscope-1');
    }
  });
});

describe('without the token', () => {
  it.each([{}, { Authorization: 'Bearer wrong' }, { Cookie: 'podscope-1=x' }])(
    '%j gives no access',
    async (headers) => {
      for (const path of upgrades) {
        const answer = await rawRequest({
          port: server.port,
          path,
          headers: { ...headers, ...upgradeHeaders('websocket') },
        });
        expect([path, answer.status]).toEqual([path, 401]);
      }
      for (const path of pages.filter((each) => each !== '/healthz')) {
        const answer = await rawRequest({ port: server.port, path, headers: { ...headers, Connection: 'close' } });
        expect([path, answer.status]).toEqual([path, 401]);
      }
      const command = await rawRequest({
        port: server.port,
        method: 'POST',
        path: '/debug/v1/commands',
        headers: { ...headers, Connection: 'close', 'Content-Type': 'application/json', 'Content-Length': '2' },
        body: '{}',
      });
      expect(command.status).toBe(401);
    },
  );
});

it('rejects commands with a content type that another site’s page can send', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  const answer = await server.request('POST', '/debug/v1/commands', { headers, body: '{"command":"debugState"}' });
  expect(answer.status).toBe(415);
});

it('responds to other clients while one client floods the server', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
  const flood = 10_000;
  let answered = 0;
  socket.on('message', () => (answered += 1));
  for (let id = 0; id < flood; id++)
    socket.send(`{"type":"command","id":${id},"body":{"command":"getPodYaml","namespace":"a","name":"b"}}`);
  expect((await server.request('GET', '/api/v1/pods')).status).toBe(200);
  // The server limits the rate at which it reads, so most messages are still waiting.
  expect(answered).toBeLessThan(flood);
  socket.terminate();
});

describe('the token', () => {
  it('is in no file except the kubeconfig, and in no response', async () => {
    const { token } = server;
    const found: string[] = [];
    for (const entry of await readdir(server.stateDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // If a file disappears because it is being replaced, its new version is scanned instead.
      const content = entry.isFile() ? await readFile(path).catch(() => undefined) : undefined;
      if (content?.includes(token)) found.push(entry.name);
    }
    expect(found).toEqual(['kubeconfig']);
    const events = server.nodeHost.log.after(0).map((event) => server.nodeHost.recorded().encode(event));
    expect(events.some((text) => text.includes(token))).toBe(false);
    for (const path of pages) expect((await server.request('GET', path)).text).not.toContain(token);
  });
});
