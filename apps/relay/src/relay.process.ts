/**
 * Runs the relay process. It accepts clients on the socket that systemd passed, or the supervisor
 * (supervisor.process.ts) passes it each connection.
 */
import { createServer, Socket } from 'node:net';
import { parseRelayOptions } from './options.ts';
import { Relay } from './relay.ts';
import { accessOf, isSocketPassed, listenOnPassed, listenWith } from './sockets.ts';

const options = parseRelayOptions(process.argv.slice(2));
const relay = new Relay(options);
const access = await accessOf(options.runtime);
const control = createServer((socket) => relay.acceptDebugger(socket));
// Exit if the control socket can't be created, because no debugger could connect. The supervisor then starts the relay
// again.
const controlSocket = await listenWith(control, options.control, access);

let front: { remove(): Promise<void> } | undefined;
if (process.send) {
  process.on('message', (number: number, handle) => {
    // If the handle is missing, the client has already disconnected.
    process.send?.(number);
    if (handle instanceof Socket) relay.acceptClient(handle);
  });
  process.on('disconnect', () => void stop());
  process.send('ready');
} else {
  const server = createServer({ pauseOnConnect: true }, (socket) => relay.acceptClient(socket));
  if (isSocketPassed(process.env)) await listenOnPassed(server);
  else front = await listenWith(server, options.listen, access);
}

async function stop(): Promise<void> {
  relay.close();
  await controlSocket.remove();
  await front?.remove();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
