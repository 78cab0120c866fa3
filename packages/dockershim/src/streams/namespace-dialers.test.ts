import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { background, type Context, Tracer, VirtualClock } from '@podscope/trace';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NamespaceDialers } from './namespace-dialers.ts';

let clock: VirtualClock;
let ctx: Context;
let directory: string;
let server: Server;
let sockets: Socket[];
let dialers: NamespaceDialers;
/** The starts and stops of helpers, with the pid of the namespace that each entered. */
let history: string[];
/** The pids of the namespaces whose helpers have ended, which they do some time after the stop. */
let ended: number[];

beforeEach(async () => {
  clock = new VirtualClock();
  ctx = background(clock, new Tracer());
  directory = await mkdtemp(join(tmpdir(), 'dialers-'));
  const socketPath = join(directory, 's');
  // Answers every connection as a helper that has reached the port.
  server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.write('+')));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  history = [];
  ended = [];
  sockets = [];
  dialers = new NamespaceDialers((pid) => {
    history.push(`start ${pid}`);
    const end = Promise.withResolvers<void>();
    const kill = (): boolean => {
      history.push(`stop ${pid}`);
      setImmediate(() => {
        ended.push(pid);
        end.resolve();
      });
      return true;
    };
    return Promise.resolve({ socketPath, child: { kill }, ended: end.promise });
  });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  await rm(directory, { recursive: true });
});

async function connect(sandboxId: string, pid: number): Promise<Socket> {
  const socket = await dialers.connect(ctx, { sandboxId, pid }, 80);
  sockets.push(socket);
  return socket;
}

async function disconnect(socket: Socket): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
}

it('starts one helper for several connections to a sandbox', async () => {
  await connect('a', 7);
  await connect('a', 7);
  expect(history).toEqual(['start 7']);
});

it('stops the helper of a sandbox that is released, and starts another one for the next connection', async () => {
  await connect('a', 7);
  await connect('b', 8);
  dialers.release('a');
  await connect('a', 7);
  expect(history.toSorted()).toEqual(['start 7', 'start 7', 'start 8', 'stop 7']);
});

it('starts another helper for another sandbox whose process has the pid of an earlier one', async () => {
  await disconnect(await connect('a', 7));
  await connect('b', 7);
  expect(history).toEqual(['start 7', 'start 7']);
});

it('replaces the helper of a sandbox that was restarted', async () => {
  await connect('a', 7);
  await connect('a', 9);
  expect(history.toSorted()).toEqual(['start 7', 'start 9', 'stop 7']);
});

it('stops a helper 30 s after its last connection has ended', async () => {
  const first = await connect('a', 7);
  await disconnect(await connect('a', 7));
  await clock.advance(60_000);
  expect(history).toEqual(['start 7']);
  await disconnect(first);
  await clock.advance(29_999);
  expect(history).toEqual(['start 7']);
  await clock.advance(1);
  expect(history).toEqual(['start 7', 'stop 7']);
});

it('stops all helpers when it is closed, and waits for the end of each that was ever stopped', async () => {
  await connect('a', 7);
  await connect('b', 8);
  dialers.release('a');
  await dialers.close();
  expect(history).toEqual(['start 7', 'start 8', 'stop 7', 'stop 8']);
  expect(new Set(ended)).toEqual(new Set([7, 8]));
});
