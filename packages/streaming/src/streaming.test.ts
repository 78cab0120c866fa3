import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContainerStreams, ProcessStreams } from '@podscope/cri';
import { background, type Clock, instant, Tracer } from '@podscope/trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { remoteStreams } from './client/remote-streams.ts';
import { PushQueue } from './push-queue.ts';
import { serveRemoteCommand } from './remote-command/serve.ts';
import { StreamingServer } from './server/streaming-server.ts';
import { headerDictionary } from './spdy/dictionary.ts';
import { adler32 } from './testing/adler32.ts';

const clock: Clock = {
  now: () => instant(performance.timeOrigin + performance.now()),
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return { cancel: () => clearTimeout(timer) };
  },
};
const ctx = background(clock, new Tracer());
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* from(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
  await Promise.resolve();
}

/** Returns a sink that stores the data written to it. */
function collector(): { readonly write: (data: Uint8Array) => Promise<void>; text(): string; size(): number } {
  const chunks: Uint8Array[] = [];
  return {
    write(data) {
      chunks.push(data);
      return Promise.resolve();
    },
    text: () => Buffer.concat(chunks).toString(),
    size: () => chunks.reduce((sum, { length }) => sum + length, 0),
  };
}

/**
 * Commands: `cat` echoes, `exit N`, `fail`, `resize` prints two sizes, `big N` writes N bytes. Port 80 answers in
 * capitals.
 */
const commands: ContainerStreams = {
  async exec(_ctx, { cmd: [name, argument = '0'] }, { stdin, stdout, stderr, resize }) {
    if (name === 'fail') throw new Error('no such thing');
    if (name === 'cat') for await (const data of stdin ?? []) await stdout?.write(data);
    if (name === 'big')
      for (let left = Number(argument); left > 0; left -= 65_536)
        await stdout?.write(new Uint8Array(Math.min(left, 65_536)));
    if (name === 'resize') {
      let seen = 0;
      for await (const { width, height } of resize ?? []) {
        await stdout?.write(bytes(`${width}x${height};`));
        seen += 1;
        if (seen === 2) break;
      }
    }
    if (name !== 'exit') return 0;
    await stderr?.write(bytes('bye'));
    return Number(argument);
  },
  async attach(_ctx, containerId, { stdout }) {
    await stdout?.write(bytes(`attached to ${containerId}`));
  },
  async portForward(_ctx, _id, port, connection) {
    if (port !== 80) throw new Error('connection refused');
    for await (const data of connection.source)
      await connection.write(bytes(Buffer.from(data).toString().toUpperCase()));
  },
};

function streamingServer(): { server: StreamingServer; client: ContainerStreams } {
  const server = new StreamingServer(ctx, commands);
  onTestFinished(() => server.close());
  const client = remoteStreams({
    exec: async (_ctx, request) => ({ url: await server.getExec(request) }),
    attach: async (_ctx, request) => ({ url: await server.getAttach(request) }),
    portForward: async (_ctx, request) => ({ url: await server.getPortForward(request) }),
  });
  return { server, client };
}

const run = (client: ContainerStreams, cmd: string[], streams: ProcessStreams): Promise<number> =>
  client.exec(ctx, { containerId: 'c', cmd }, streams);

describe('streams over SPDY/3.1', () => {
  it('compress headers with the dictionary of the SPDY draft', () => {
    expect(adler32(headerDictionary)).toBe(0xe3c6a7c2);
  });

  it('carry input and output, and end after both have ended', async () => {
    const { client } = streamingServer();
    const stdout = collector();
    expect(await run(client, ['cat'], { tty: false, stdin: from('one ', 'two'), stdout })).toBe(0);
    expect(stdout.text()).toBe('one two');
  });

  it('carry exit codes and the error stream', async () => {
    const { client } = streamingServer();
    const stderr = collector();
    expect(await run(client, ['exit', '42'], { tty: false, stdout: collector(), stderr })).toBe(42);
    expect(stderr.text()).toBe('bye');
  });

  it("report why a command couldn't be run", async () => {
    const { client } = streamingServer();
    await expect(run(client, ['fail'], { tty: false, stdout: collector() })).rejects.toThrow(
      'Internal error occurred: error executing command in container: no such thing',
    );
  });

  it('carry new sizes of the terminal to the process', async () => {
    const { client } = streamingServer();
    const stdout = collector();
    const sizes = new PushQueue<{ width: number; height: number }>();
    sizes.push({ width: 80, height: 24 });
    sizes.push({ width: 132, height: 43 });
    await run(client, ['resize'], { tty: true, stdout, resize: sizes });
    expect(stdout.text()).toBe('80x24;132x43;');
  });

  it('carry 20 MB of output completely', async () => {
    const { client } = streamingServer();
    const stdout = collector();
    await run(client, ['big', '20000000'], { tty: false, stdout });
    expect(stdout.size()).toBe(20_000_000);
  });

  it('end a command that stops reading while the client still sends', async () => {
    const { client } = streamingServer();
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        yield new Uint8Array(65_536);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect(
      await run(client, ['exit', '3'], { tty: false, stdin: endless(), stdout: collector(), stderr: collector() }),
    ).toBe(3);
  });

  it('are all open before any input is sent', async () => {
    const { client } = streamingServer();
    async function* much(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 64; sent++) yield new Uint8Array(131_072);
      await Promise.resolve();
    }
    expect(
      await run(client, ['exit', '3'], { tty: false, stdin: much(), stdout: collector(), stderr: collector() }),
    ).toBe(3);
  });

  it('carry the output of a container to an attached client', async () => {
    const { client } = streamingServer();
    const stdout = collector();
    await client.attach(ctx, 'c1', { tty: false, stdout });
    expect(stdout.text()).toBe('attached to c1');
  });

  it('forward data to a port, and report a refused connection', async () => {
    const { client } = streamingServer();
    const answer = collector();
    await client.portForward(ctx, 's', 80, { ...answer, source: from('hello') });
    expect(answer.text()).toBe('HELLO');
    await expect(client.portForward(ctx, 's', 81, { ...answer, source: from() })).rejects.toThrow('connection refused');
  });
});

/** Returns the HTTP status with which an upgrade request is answered. */
function open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers });
  return new Promise((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('error', () => undefined);
  });
}

describe('the streaming server', () => {
  it('rejects web pages even with a valid token', async () => {
    const { server } = streamingServer();
    const url = await server.getExec({ containerId: 'c', cmd: ['exit'], stdout: true });
    expect(await open(url, { Origin: new URL(url).origin })).toBe(403);
    expect(await open(url)).toBe(101);
  });

  it('accepts each token once and only for its kind', async () => {
    const { server } = streamingServer();
    const url = await server.getExec({ containerId: 'c', cmd: ['exit'], stdout: true });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/exec\/[\w-]{8}$/);
    expect(await open(url)).toBe(101);
    expect(await open(url)).toBe(404);
    expect(
      await open(
        (await server.getExec({ containerId: 'c', cmd: ['exit'], stdout: true })).replace('/exec/', '/attach/'),
      ),
    ).toBe(404);
  });

  it('rejects empty and invalid requests', async () => {
    const { server } = streamingServer();
    expect(() => server.getExec({ containerId: '', cmd: [] })).toThrow('missing required container_id');
    expect(() => server.getExec({ containerId: 'c', cmd: [] })).toThrow('one of stdin, stdout, or stderr must be set');
    expect(() => server.getExec({ containerId: 'c', cmd: [], tty: true, stderr: true })).toThrow(
      'tty and stderr cannot both be true',
    );
    expect(() => server.getPortForward({ podSandboxId: '', port: [] })).toThrow('missing required pod_sandbox_id');
  });

  it('names the missing header to plain HTTP clients and those without a common protocol', async () => {
    const { server } = streamingServer();
    const url = await server.getExec({ containerId: 'c', cmd: ['exit'], stdout: true });
    expect((await fetch(url)).status).toBe(400);
  });
});

async function webSocketExec(
  protocol: string,
  cmd: string[],
  wanted: Partial<Record<'stdin' | 'tty', boolean>>,
  talk: (socket: WebSocket) => void,
) {
  const http = createServer();
  http.on('upgrade', (request, socket, head) => {
    const streams = { stdin: false, stdout: true, stderr: !wanted.tty, tty: false, ...wanted };
    void serveRemoteCommand({ request, socket, head }, streams, (opened) =>
      commands.exec(ctx, { containerId: 'c', cmd }, opened),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/`, protocol);
  const messages: Buffer[] = [];
  socket.on('message', (data) => messages.push(data as Buffer));
  socket.once('open', () => talk(socket));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return messages;
}

describe('streams over WebSocket', () => {
  it('of protocol v5 let the client close stdin', async () => {
    const messages = await webSocketExec('v5.channel.k8s.io', ['cat'], { stdin: true }, (socket) => {
      socket.send(Buffer.from('\0hello'));
      socket.send(Buffer.from([255, 0]));
    });
    expect(messages.map((message) => message.toString())).toEqual([
      '\x01',
      '\x01hello',
      '\x03{"metadata":{},"status":"Success"}',
    ]);
  });

  it('of protocol v4 report exit codes as a status', async () => {
    const messages = await webSocketExec('v4.channel.k8s.io', ['exit', '7'], {}, () => undefined);
    const [, stderr, status] = messages.map((message) => message.toString());
    expect(stderr).toBe('\x02bye');
    expect(JSON.parse(status?.slice(1) ?? '')).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: exit status 7',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    });
  });

  it('of the base64 protocols carry text messages', async () => {
    const messages = await webSocketExec('base64.channel.k8s.io', ['resize'], { tty: true }, (socket) => {
      socket.send(`4${Buffer.from('{"Width":1,"Height":2}{"Width":3,"Height":4}').toString('base64')}`);
    });
    const texts = messages.map((message) => message.toString());
    expect(texts.map((text) => text[0] + Buffer.from(text.slice(1), 'base64').toString())).toEqual([
      '1',
      '11x2;',
      '13x4;',
    ]);
  });

  it('are rejected for an unknown protocol', async () => {
    expect(await webSocketExec('v9.channel.k8s.io', ['cat'], {}, () => undefined)).toEqual([]);
  });
});
