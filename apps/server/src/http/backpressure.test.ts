/**
 * Tests clients that read slowly or not at all. The server must use bounded memory for them, and they must not delay
 * other clients.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Transport } from '@podscope/node';
import { protocolVersion } from '@podscope/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { AccessControl } from '../security/access.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createServerCertificate } from '../tls/certificates.ts';
import { type DualServer, startDualServer } from './dual-server.ts';
import { createStream, type Stream } from './stream.ts';

const mebibyte = 1024 * 1024;
const configMaps = '/api/v1/namespaces/default/configmaps';

let server: TestServer;
let stream: Stream;
/** Serves the same node on another port, where the amount of data that waits for each client is measured. */
let measured: DualServer;
const transports: Transport[] = [];

beforeAll(async () => {
  server = await startTestServer();
  const access = new AccessControl('a-token-of-a-test', () => ({ host: '127.0.0.1', port: measured.port }));
  const connect = (transport: Transport): ReturnType<typeof server.nodeHost.connect> => {
    transports.push(transport);
    return server.nodeHost.connect(transport);
  };
  stream = createStream({ connect }, access);
  measured = await startDualServer({
    ...(await createServerCertificate('127.0.0.1')),
    host: '127.0.0.1',
    port: 0,
    onRequest: (_request, response) => void response.end(),
    onUpgrade: stream.onUpgrade,
  });
});
afterAll(async () => {
  stream.close();
  await measured.close();
  await server.dispose();
});

/** Watches ConfigMaps and counts the changes. */
function watchConfigMaps(): Promise<{ readonly response: IncomingMessage; readonly lines: () => number }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: server.port,
      path: `${configMaps}?watch=1`,
      headers: { Authorization: `Bearer ${server.token}` },
    };
    get(options, (response) => {
      let lines = 0;
      response.on('data', (chunk: Buffer) => (lines += chunk.toString('latin1').split('\n').length - 1));
      response.on('error', () => undefined);
      resolve({ response, lines: () => lines });
    }).on('error', reject);
  });
}

interface Client {
  readonly socket: WebSocket;
  readonly transport: Transport;
  /** The number of the last event that the client received, or NaN after a gap. */
  last: number;
  answers: number;
}

/** @param after number of the last event that the client already has */
async function connect(after = 0): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${measured.port}/stream`, {
    headers: { Authorization: 'Bearer a-token-of-a-test' },
  });
  await once(socket, 'open');
  const client: Client = { socket, transport: transports.at(-1) as Transport, last: after, answers: 0 };
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString('utf8')) as { type: string; events?: { seq: number }[] };
    if (message.type === 'response' || message.type === 'failure') client.answers += 1;
    for (const { seq } of message.events ?? []) client.last = seq === client.last + 1 ? seq : Number.NaN;
  });
  socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion, run: server.nodeHost.nodeInfo().run, after }));
  await once(socket, 'message');
  return client;
}

/** Runs pods with annotations of the same length, so that their events have about the same size. */
async function runPods(names: readonly string[], note: string): Promise<void> {
  for (const name of names) {
    const metadata = { name, namespace: 'default', annotations: { note } };
    const spec = { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '600'] }] };
    expect(
      await server.nodeHost.commands.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec })),
    ).toMatchObject({ errors: [] });
  }
  const isRunning = (name: string): boolean =>
    server.nodeHost.api.storage.get('Pod', 'default', name)?.status?.phase === 'Running';
  await expect.poll(() => names.every(isRunning), { timeout: 120_000 }).toBe(true);
}

describe('streams to twenty clients of which one is slow', () => {
  it('buffer a bounded amount for a client that reads nothing, and send it everything once it reads', async () => {
    const deaf = await connect();
    deaf.socket.pause();
    // The events exceed the kernel's buffers for a connection.
    await runPods(['large-0', 'large-1', 'large-2', 'large-3'], 'x'.repeat(100_000));
    const before = server.nodeHost.log.lastSeq;
    const others: Client[] = [];
    for (let index = 1; index < 20; index++) others.push(await connect(before));
    await runPods(['small-0', 'small-1'], '');
    expect(server.nodeHost.log.lastSeq).toBeGreaterThan(before + 50);
    const behind = (): number => others.filter(({ last }) => last !== server.nodeHost.log.lastSeq).length;
    await expect.poll(behind, { timeout: 120_000 }).toBe(0);
    expect(deaf.transport.bufferedAmount).toBeGreaterThan(0);
    expect(deaf.transport.bufferedAmount).toBeLessThan(3 * mebibyte);
    deaf.socket.resume();
    await expect.poll(() => server.nodeHost.log.lastSeq - deaf.last, { timeout: 120_000 }).toBe(0);
    for (const { socket } of [deaf, ...others]) socket.terminate();
  });

  it('stops reading commands from a client that does not read the responses', async () => {
    const client = await connect();
    client.socket.pause();
    const asked = 120;
    let most = 0;
    for (let id = 0; id < asked; id++) {
      client.socket.send(
        JSON.stringify({ type: 'command', id, body: { command: 'getPodYaml', namespace: 'default', name: 'large-0' } }),
      );
      // Stay below the rate limit for messages, because this test is about responses.
      if (id % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, client.transport.bufferedAmount);
    }
    expect(most).toBeLessThan(16 * mebibyte);
    client.socket.resume();
    await expect.poll(() => client.answers, { timeout: 120_000 }).toBe(asked);
    client.socket.terminate();
  });
});

it('starts a watch with any number of objects, and disconnects a client that does not read the changes', async () => {
  const large = (index: number): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `large-${index}`, namespace: 'default' },
    data: { text: `${index}${'x'.repeat(900_000)}` },
  });
  const count = 12;
  for (let index = 0; index < count; index++)
    expect((await server.request('POST', configMaps, { body: large(index) })).status).toBe(201);
  const { response, lines } = await watchConfigMaps();
  await expect.poll(lines, { timeout: 120_000 }).toBe(count);
  response.pause();
  for (let index = 0; index < count; index++)
    expect((await server.request('DELETE', `${configMaps}/large-${index}`)).status).toBe(200);
  response.resume();
  await expect.poll(() => response.closed, { timeout: 120_000 }).toBe(true);
  expect(response.complete).toBe(false);
});
