import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { DebugClient } from '../../../../packages/cluster/src/testing/conversations/debug-client.ts';
import { ProtocolClient } from '../../../../packages/cluster/src/testing/conversations/debug-client.ts';
import { type Carrier, playScenario } from '../../../../packages/cluster/src/testing/conversations/run-scenario.ts';
import { scenarios } from '../../../../packages/cluster/src/testing/conversations/scenarios.ts';
import { createStream, type Stream } from '../http/stream.ts';
import { AccessControl } from '../security/access.ts';

const token = 'conversation-token';
const opened: { readonly server: Server; readonly stream: Stream }[] = [];

afterEach(async () => {
  for (const { server, stream } of opened.splice(0)) {
    stream.close();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Serves the scenario's own cluster at `/stream` of a real server, and connects to it. */
const connect: Carrier['connect'] = async (cluster) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stream = createStream(cluster, new AccessControl(token, () => ({ host: '127.0.0.1', port })));
  opened.push({ server, stream });
  server.on('upgrade', stream.onUpgrade);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/stream`, { headers: { Authorization: `Bearer ${token}` } });
  const client = new ProtocolClient((text) => socket.send(text));
  socket.on('message', (data) => client.receive((data as Buffer).toString('utf8')));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  client.hello();
  return {
    request: (command) => client.request(command),
    eventsUpTo: (seq) => client.eventsUpTo(seq),
    close: async () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.close();
      await closed;
    },
  } satisfies DebugClient;
};

describe('debugging conversations, over WebSocket', () => {
  it.each(scenarios)('$name', async (scenario) => {
    const { text, golden } = await playScenario(scenario, { mayUpdate: false, connect });
    expect(text).toBe(golden);
  });
});
