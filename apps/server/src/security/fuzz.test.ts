/**
 * Sends random bytes and random requests to every endpoint and socket. The server must answer or reject each of them
 * and keep running.
 */
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rawRequest, upgradeHeaders } from '../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const failures: unknown[] = [];
const onFailure = (error: unknown): void => void failures.push(error);

beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', onFailure);
  server = await startTestServer();
});
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', onFailure);
  await server.dispose();
});

const settings = { seed: 20, numRuns: 60 };
/** Returns the status of the health check, and all uncaught errors since the start of the test. */
const health = async (): Promise<unknown> => ({ status: (await server.request('GET', '/healthz')).status, failures });
const healthy = { status: 200, failures: [] };

/** Sends bytes and waits until the server closes the connection or responds. */
const send = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
    socket.once('data', () => socket.destroy());
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });

const bytes = fc.uint8Array({ maxLength: 300 });

it('the port accepts arbitrary bytes, plain or with a TLS prefix', async () => {
  const beginnings = fc.constantFrom(
    '',
    '\u0016\u0003\u0001',
    'GET / HTTP/1.1\r\n',
    'POST /api/v1/pods HTTP/1.1\r\nHost: 127.0.0.1\r\n',
    'PRI * HTTP/2.0\r\n\r\n',
  );
  await fc.assert(
    fc.asyncProperty(beginnings, bytes, async (beginning, rest) =>
      send(Buffer.concat([Buffer.from(beginning, 'latin1'), rest])),
    ),
    settings,
  );
  expect(await health()).toEqual(healthy);
});

const paths = fc.oneof(
  fc.constantFrom(
    '/api/v1/namespaces/default/pods',
    '/api/v1/nodes/podscope/proxy/pods',
    '/debug/v1/commands',
    '/runs',
    '/runs/x/events',
    '/stats/summary',
    '/openapi/v3',
  ),
  fc
    .array(
      fc.constantFrom(
        'api',
        'apis',
        'v1',
        'pods',
        'default',
        'namespaces',
        'watch',
        'log',
        'runs',
        'debug',
        '..',
        '%2e%2e',
        '%',
        '%00',
        'a',
        '',
        '__proto__',
      ),
      { maxLength: 8 },
    )
    .map((parts) => `/${parts.join('/')}`),
);
const queries = fc.constantFrom(
  '',
  '?watch=1&timeoutSeconds=1',
  '?limit=x',
  '?continue=%00',
  '?fieldSelector=a=b=c',
  '?labelSelector=((',
  '?dryRun=None',
  '?container=%ff',
  '?at=-1',
);
const types = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
  '',
);
const bodies = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '',
    '{',
    '[]',
    '{"__proto__": {"polluted": true}}',
    '{"constructor": {"prototype": {"polluted": true}}}',
    '['.repeat(5_000),
    `${'{"a":'.repeat(5_000)}1`,
  ),
);

it('every path accepts arbitrary methods, queries, content types and bodies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
      paths,
      queries,
      types,
      bodies,
      async (method, path, query, type, body) => {
        const { status } = await server.request(method, `${path}${query}`, {
          headers: type === '' ? {} : { 'Content-Type': type },
          body,
        });
        // An invalid request is an error of the client, so the response must not be 500.
        expect([path, status]).not.toEqual([path, 500]);
      },
    ),
    { ...settings, numRuns: 150 },
  );
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(await health()).toEqual(healthy);
});

it('an upgrade accepts arbitrary paths, with or without the token', async () => {
  const strange = fc.constantFrom(
    '//%00',
    'http://',
    '//[',
    '*',
    '/%',
    '/api/v1/namespaces/%ff/pods/%00/exec',
    '//',
    'http://[::1',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(strange, paths),
      fc.boolean(),
      fc.constantFrom('websocket' as const, 'SPDY/3.1' as const),
      async (path, shown, kind) => {
        const headers = { ...(shown ? { Authorization: `Bearer ${server.token}` } : {}), ...upgradeHeaders(kind) };
        expect((await rawRequest({ port: server.port, path, headers })).status).toBeGreaterThanOrEqual(400);
      },
    ),
    settings,
  );
  expect(await health()).toEqual(healthy);
});

describe('the stream', () => {
  const talk = (messages: readonly (string | Uint8Array)[]): Promise<void> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
        headers: { Authorization: `Bearer ${server.token}` },
      });
      socket.on('open', () => {
        for (const message of messages) socket.send(message);
        socket.close();
      });
      socket.on('close', () => resolve());
      socket.on('error', () => resolve());
    });
  const hello = '{"type":"hello","protocol":1}';
  const command = fc
    .record({ type: fc.constant('command'), id: fc.integer(), body: fc.object({ maxDepth: 3 }) })
    .map((value) => JSON.stringify(value));

  it('accepts arbitrary messages', async () => {
    const message = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.json(),
      bytes,
      command,
      fc.constant(hello),
      fc.constant('['.repeat(100_000)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), fc.boolean(), (messages, greets) =>
        talk(greets ? [hello, ...messages] : messages),
      ),
      settings,
    );
    expect(await health()).toEqual(healthy);
  });

  it.each(['websocket', 'SPDY/3.1'] as const)(
    'of a pod accepts arbitrary bytes after an upgrade to %s',
    async (kind) => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web' },
        spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '600'] }] },
      };
      await server.request('POST', '/api/v1/namespaces/default/pods', { body: pod });
      const paths = ['exec?command=cat&stdin=1&stdout=1', 'attach?stdin=1&stdout=1', 'portforward?ports=80'];
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), bytes, async (path, rest) => {
          const headers = { Authorization: `Bearer ${server.token}`, ...upgradeHeaders(kind) };
          await rawRequest({
            port: server.port,
            path: `/api/v1/namespaces/default/pods/web/${path}`,
            headers,
            body: Buffer.from(rest).toString('latin1'),
          });
        }),
        { ...settings, numRuns: 20 },
      );
      expect(await health()).toEqual(healthy);
    },
  );
});
