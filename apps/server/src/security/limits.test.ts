/** How much the server takes from everybody together, and what it does not speak. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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

it('takes headers of 16 KiB at most', async () => {
  const ask = (length: number) => rawRequest({ port: server.port, path: '/healthz', headers: { 'X-Long': 'x'.repeat(length), Connection: 'close' } });
  expect((await ask(12 * 1024)).status).toBe(200);
  expect((await ask(17 * 1024)).status).toBe(431);
});

it('speaks no TLS older than 1.2', async () => {
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

it('has 100 clients of its stream at a time', async () => {
  const address = `ws://127.0.0.1:${server.port}/stream`;
  const headers = { Authorization: `Bearer ${server.token}` };
  const clients = Array.from({ length: 100 }, () => new WebSocket(address, { headers }));
  await Promise.all(clients.map((client) => once(client, 'open')));
  const late = new WebSocket(address, { headers });
  const [error] = (await once(late, 'error')) as [Error];
  expect(error.message).toContain('503');
  for (const client of clients) client.terminate();
});

it('has 1,024 connections at a time: others are turned away, and those there are go on', async () => {
  const sockets: Socket[] = [];
  const opened = async (): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  try {
    const first = await opened();
    await Promise.all(Array.from({ length: 1_100 }, opened));
    // The last of them are dropped: each has been connected, which the kernel does, and is closed.
    await expect.poll(() => sockets.filter(({ closed }) => closed).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(1_101 - 1_024);
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(900);
    first.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    const [answer] = (await once(first, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200');
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
