import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { relayTo } from './stream-relay.ts';

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Starts a server that accepts connections and never responds. */
async function silentServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ['many messages', 2_000, 'x'],
  ['large messages', 3, 'x'.repeat(600 * 1024)],
])('closes the page when %s wait for a server that does not answer', async (_case, count, text) => {
  const close = vi.fn<(code: number, reason: string) => void>();
  const session = relayTo(await silentServer(), 'token').connect({ send: () => undefined, bufferedAmount: 0, close });
  cleanups.push(() => session.closed());
  for (let sent = 0; sent < count; sent += 1) session.receive(text);
  await vi.waitFor(() => expect(close.mock.calls[0]?.[0]).toBe(1013), { timeout: 120_000 });
});

it('keeps the page open while few messages wait', async () => {
  const close = vi.fn<(code: number, reason: string) => void>();
  const session = relayTo(await silentServer(), 'token').connect({ send: () => undefined, bufferedAmount: 0, close });
  cleanups.push(() => session.closed());
  for (let sent = 0; sent < 20; sent += 1) session.receive('hello');
  expect(close).not.toHaveBeenCalled();
});
