import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Carrier, type DebugClient, ProtocolClient, playScenario, scenarios } from '@podscope/debugger/testing';
import { type HostedConversationNode, startConversationNode } from '@podscope/node/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
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

/** Serves the scenario's node at `/stream` of a real server, and connects to it. */
const connect: Carrier<HostedConversationNode>['connect'] = async ({ host }) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stream = createStream(host, new AccessControl(token, () => ({ host: '127.0.0.1', port })));
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
    const { text, golden } = await playScenario(scenario, { mayUpdate: false, start: startConversationNode, connect });
    expect(text).toBe(golden);
  });
});
