/** Tests the server's limits on headers, clients and connections, and the minimum TLS version. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rawRequest } from '../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

it('rejects headers larger than 16 KiB', async () => {
  const ask = (length: number) =>
    rawRequest({ port: server.port, path: '/healthz', headers: { 'X-Long': 'x'.repeat(length), Connection: 'close' } });
  expect((await ask(12 * 1024)).status).toBe(200);
  expect((await ask(17 * 1024)).status).toBe(431);
});

it('rejects TLS older than 1.2', async () => {
  const hello = (version: 'TLSv1.1' | 'TLSv1.2'): Promise<string | null> =>
    new Promise((resolve) => {
      const old = { minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0', rejectUnauthorized: false } as const;
      const socket = connectTls({ host: '127.0.0.1', port: server.port, maxVersion: version, ...old }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.once('error', () => resolve(null));
    });
  expect(await hello('TLSv1.2')).toBe('TLSv1.2');
  expect(await hello('TLSv1.1')).toBeNull();
});

it('accepts at most 100 clients of the stream', async () => {
  const address = `ws://127.0.0.1:${server.port}/stream`;
  const headers = { Authorization: `Bearer ${server.token}` };
  const clients = Array.from({ length: 100 }, () => new WebSocket(address, { headers }));
  await Promise.all(clients.map((client) => once(client, 'open')));
  const late = new WebSocket(address, { headers });
  const [error] = (await once(late, 'error')) as [Error];
  expect(error.message).toContain('503');
  for (const client of clients) client.terminate();
});

it('accepts at most 1,024 connections, and keeps serving the existing ones', async () => {
  const client = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  await once(client, 'open');
  // The kernel accepts every connection, and the server closes those above the limit.
  const sockets = Array.from({ length: 1_100 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined));
  try {
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThan(1_100 - 1_024);
    client.ping();
    await once(client, 'pong');
  } finally {
    for (const socket of sockets) socket.destroy();
    client.terminate();
  }
});
