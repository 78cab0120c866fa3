import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebSocket, WebSocketServer } from 'ws';
import { keepAlive } from './keep-alive.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A socket that answers pings only if the test wants it. */
class FakeSocket extends EventEmitter {
  isTerminated = false;
  readonly #answers: boolean;
  constructor(answers: boolean) {
    super();
    this.#answers = answers;
  }
  ping(): void {
    if (this.#answers) this.emit('pong');
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

it('disconnects only the client that did not answer the last ping', () => {
  const [answering, silent] = [new FakeSocket(true), new FakeSocket(false)];
  const server = { clients: new Set([answering, silent]) };
  const pings = keepAlive(server as unknown as WebSocketServer, 1_000);
  for (const socket of server.clients) pings.add(socket as unknown as WebSocket);
  vi.advanceTimersByTime(1_000);
  expect([answering.isTerminated, silent.isTerminated]).toEqual([false, false]);
  vi.advanceTimersByTime(1_000);
  expect([answering.isTerminated, silent.isTerminated]).toEqual([false, true]);
  pings.stop();
  expect(vi.getTimerCount()).toBe(0);
});
