/**
 * Keeps the listening socket open and starts the relay again when it ends, so that a client can always connect. (A
 * kubelet exits if the socket is missing when it starts.) Passes accepted connections to the relay. Connections that
 * arrive while the relay starts have to wait.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseRelayOptions, relayArguments, relayEnvironment } from './options.ts';
import { accessOf, isSocketPassed, listenOnPassed, listenWith } from './sockets.ts';

/**
 * Minimum and maximum delay before the relay is started again, in milliseconds. Each delay is twice the previous one.
 */
const pauses = { first: 50, last: 3_000 } as const;
/** Time that a relay must have run to be started again after the minimum delay, in milliseconds. */
const stableAfter = 10_000;

const options = parseRelayOptions(process.argv.slice(2));
const program = fileURLToPath(new URL('./relay.process.ts', import.meta.url));
/** Connections that no relay process has accepted yet, by number. */
const waiting = new Map<number, Socket>();
let lastConnection = 0;
let ready: ChildProcess | undefined;
let child: ChildProcess | undefined;
let pause: number = pauses.first;
let isStopping = false;

/**
 * Passes a connection to the relay process and keeps it open here until the relay has accepted it. If the relay process
 * ends first, its successor gets the connection.
 */
function pass(to: ChildProcess, number: number, socket: Socket): void {
  to.send(number, socket, { keepOpen: true }, () => undefined);
}

function start(): void {
  const began = Date.now();
  const started = fork(program, relayArguments(options), {
    execArgv: [...process.execArgv],
    env: { ...relayEnvironment, ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child = started;
  started.on('message', (message) => {
    if (typeof message === 'number') {
      waiting.get(message)?.destroy();
      waiting.delete(message);
      return;
    }
    ready = started;
    for (const [number, socket] of waiting) pass(started, number, socket);
  });
  started.on('error', (error) => console.error(`podscope relay: ${error.message}`));
  started.on('exit', (code, signal) => {
    if (ready === started) ready = undefined;
    if (isStopping) return;
    if (Date.now() - began >= stableAfter) pause = pauses.first;
    console.error(`podscope relay: ended with ${signal ?? `code ${code}`}; starting it again in ${pause} ms`);
    setTimeout(start, pause);
    pause = Math.min(pauses.last, pause * 2);
  });
}

const server = createServer({ pauseOnConnect: true }, (socket) => {
  const number = ++lastConnection;
  waiting.set(number, socket);
  socket.on('close', () => waiting.delete(number));
  socket.on('error', () => socket.destroy());
  if (ready) pass(ready, number, socket);
});
const socket = isSocketPassed(process.env)
  ? await listenOnPassed(server)
  : await listenWith(server, options.listen, await accessOf(options.runtime));
start();
process.send?.('listening');

async function stop(): Promise<void> {
  isStopping = true;
  if (child && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(2_000) });
    child.kill('SIGTERM');
    await ended.catch(() => undefined);
  }
  await socket?.remove();
  // Remove the control socket, because a relay that was killed during its start doesn't remove it.
  await rm(options.control, { force: true });
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
