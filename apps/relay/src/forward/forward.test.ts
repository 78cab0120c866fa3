import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { protocolVersion } from '@podscope/relay-protocol';
import { array, assert, asyncProperty, constantFrom, integer, stringMatching, uint8Array } from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { flags, frameOf, frameTypes, preface, resetFrame, settingsFrame } from '../http2/frames.ts';
import { encodeFields } from '../http2/hpack.ts';
import { callThrough, grpcFrame, type ServedRelay, serveRelay } from '../testing/served-relay.ts';
import { TestDebugger } from '../testing/test-debugger.ts';

let served: ServedRelay | undefined;
afterEach(() => served?.close());

/** Responds with the bytes of the request, cut into pieces. Copies metadata into the headers and trailers. */
function echo(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const status = String(headers['x-status'] ?? '0');
  if (headers['x-trailers-only'] !== undefined) {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true });
    return;
  }
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'x-path': headers[':path'], 'x-seen': headers['x-custom'] },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () =>
    stream.sendTrailers({ 'grpc-status': status, 'grpc-message': 'as%20sent', 'x-timeout': headers['grpc-timeout'] }),
  );
  stream.on('data', (chunk: Buffer) => stream.write(chunk));
  stream.on('end', () => stream.end());
}

const start = async (handle = echo, answerWithin = 60_000): Promise<ServedRelay> => {
  served = await serveRelay(handle, answerWithin);
  return served;
};

/** Responds to the relay's own list calls with an empty list, and passes all other calls to `handle`. */
const withLists =
  (handle: typeof echo): typeof echo =>
  (stream, headers) => {
    if (String(headers[':path']).includes('/List')) echo(stream, headers);
    else handle(stream, headers);
  };

describe('forwarding', () => {
  it('forwards any bytes, metadata and paths unchanged', async () => {
    const { client } = await start();
    const session = client();
    await assert(
      asyncProperty(
        array(uint8Array({ maxLength: 2_000 }), { maxLength: 5 }),
        constantFrom('/runtime.v1.RuntimeService/Version', '/runtime.v9.FutureService/Unheard', '/odd'),
        stringMatching(/^[!-~]{1,80}$/),
        integer({ min: 0, max: 16 }),
        async (pieces, path, custom, status) => {
          const result = await callThrough(session, path, pieces, {
            'x-custom': custom,
            'grpc-timeout': '119993m',
            'x-status': String(status),
          });
          expect(result.body).toEqual(Buffer.concat(pieces));
          expect(result.headers).toMatchObject({ 'x-path': path, 'x-seen': custom, ':status': 200 });
          expect(result.trailers).toMatchObject({
            'grpc-status': String(status),
            'grpc-message': 'as%20sent',
            'x-timeout': '119993m',
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('forwards a response of trailers only', async () => {
    const { client } = await start();
    const result = await callThrough(client(), '/x/y', [], { 'x-trailers-only': '1', 'x-status': '12' });
    expect(result.headers).toMatchObject({ 'grpc-status': '12' });
  });

  it('forwards a message of 20 MiB in both directions', async () => {
    const { client } = await start();
    const message = grpcFrame(Buffer.alloc(20 * 1024 * 1024, 7));
    const result = await callThrough(client(), '/x/ListContainers', [message]);
    expect(result.body.equals(message)).toBe(true);
  });

  it('forwards metadata larger than a frame', async () => {
    const { client } = await start();
    const custom = 'v'.repeat(40_000);
    const result = await callThrough(client(), '/x/y', [], { 'x-custom': custom });
    expect(result.headers['x-seen']).toBe(custom);
  });

  it('ends the connection of the client when the runtime ends its own', async () => {
    const { client } = await start((stream) => stream.session?.destroy());
    const session = client();
    const result = callThrough(session, '/x/y', []);
    await once(session, 'close');
    expect((await result).trailers).toEqual({});
  });

  it('ends the connection of a client when no runtime listens', async () => {
    const { relay, client, listenPath, directory } = await start();
    await rename(join(directory, 'runtime.sock'), join(directory, 'moved.sock'));
    const session = client(listenPath);
    await once(session, 'close');
    expect(relay.connections).toBe(0);
  });

  it("resets the runtime's stream when the client cancels a call", async () => {
    const opened = Promise.withResolvers<ServerHttp2Stream>();
    const { client } = await start((stream) => opened.resolve(stream));
    const call = client().request({ ':method': 'POST', ':path': '/x/y' });
    call.on('error', () => undefined);
    const stream = await opened.promise;
    const closed = once(stream, 'close');
    call.close(8);
    await closed;
    expect(stream.rstCode).toBe(8);
  });

  it("forwards the runtime's RST_STREAM code", async () => {
    const { client } = await start((stream) => stream.close(11));
    expect((await callThrough(client(), '/x/y', [])).code).toBe(11);
  });

  it('forwards messages of a server stream as they come', async () => {
    const streams: ServerHttp2Stream[] = [];
    const { client } = await start((stream) => {
      stream.respond({ ':status': 200 });
      streams.push(stream);
    });
    const call = client().request({ ':method': 'POST', ':path': '/runtime.v1.RuntimeService/GetContainerEvents' });
    call.on('error', () => undefined);
    await once(call, 'response');
    for (const text of ['first', 'second']) {
      streams[0]?.write(text);
      const [chunk] = (await once(call, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(text);
    }
  });
});

const create = '/runtime.v1.RuntimeService/CreateContainer';

it('forwards no call that is read together with its cancellation, as after a pause of the relay', async () => {
  const seen: string[] = [];
  const after = Promise.withResolvers<void>();
  const { listenPath } = await start((stream, headers) => {
    seen.push(String(headers[':path']));
    echo(stream, headers);
    if (headers[':path'] === '/x/after') after.resolve();
  });
  const call = (stream: number, path: string): Buffer[] => {
    const head = encodeFields([
      [':method', 'POST'],
      [':scheme', 'http'],
      [':path', path],
      [':authority', 'localhost'],
    ]);
    return [
      frameOf(frameTypes.headers, flags.endHeaders, stream, head),
      frameOf(frameTypes.data, flags.endStream, stream, grpcFrame(Buffer.from('x'))),
    ];
  };
  const socket = connect(listenPath);
  socket.resume();
  socket.write(
    Buffer.concat([preface, settingsFrame([]), ...call(1, create), resetFrame(1, 8), ...call(3, '/x/after')]),
  );
  await after.promise;
  expect(seen).toEqual(['/x/after']);
  socket.destroy();
});

describe('reports', () => {
  it('reports a call with its messages, status and end', async () => {
    const { client, controlPath } = await start();
    const debug = await TestDebugger.connected(controlPath);
    await callThrough(client(), create, [grpcFrame(Buffer.from('request'))], { 'grpc-timeout': '2S' });
    const opened = await debug.next((message) => message.type === 'callOpened' && message.origin === 'client');
    expect(opened).toMatchObject({ path: create, deadline: 2_000, authority: 'localhost:80', inFlight: false });
    const call = 'call' in opened ? opened.call : 0;
    await debug.next((message) => message.type === 'ended' && message.call === call);
    const own = debug.received.filter((message) => 'call' in message && message.call === call);
    expect(own.map(({ type }) => type)).toEqual([
      'callOpened',
      'request',
      'forwarded',
      'responseHeaders',
      'response',
      'trailers',
      'ended',
    ]);
    expect(own.filter(({ type }) => type === 'request' || type === 'response').map(({ bytes }) => [...bytes])).toEqual([
      [...Buffer.from('request')],
      [...Buffer.from('request')],
    ]);
    expect(own.find(({ type }) => type === 'trailers')).toMatchObject({ status: 0, message: 'as sent' });
    debug.close();
  });

  it('lists sandboxes and containers when a debugger connects, and introduces calls in flight', async () => {
    const opened = Promise.withResolvers<void>();
    const { client, controlPath } = await start(withLists(() => opened.resolve()));
    const call = client().request({ ':method': 'POST', ':path': create });
    call.on('error', () => undefined);
    call.end(grpcFrame(Buffer.from('x')));
    await opened.promise;
    const debug = await TestDebugger.connected(controlPath);
    await debug.next((message) => message.type === 'ended');
    const paths = debug.ofType('callOpened').map(({ path, origin, inFlight }) => [path, origin, inFlight]);
    expect(paths.slice(0, 2)).toEqual([
      [create, 'client', true],
      ['/runtime.v1.RuntimeService/ListPodSandbox', 'relay', false],
    ]);
    debug.close();
  });
});

it('repeats its lists until the runtime has answered both without an error', async () => {
  const lists: string[] = [];
  const { controlPath } = await start((stream, headers) => {
    const path = String(headers[':path']);
    lists.push(path.slice(path.lastIndexOf('/') + 1));
    if (lists.length === 1) stream.close(2);
    else if (lists.length === 4)
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '14' }, { endStream: true });
    else echo(stream, headers);
  });
  const debug = await TestDebugger.connected(controlPath);
  const both = ['ListPodSandbox', 'ListContainers'];
  await expect.poll(() => lists, { timeout: 30_000 }).toEqual([...both, ...both, ...both]);
  debug.close();
});

describe('readers', () => {
  const reader = async (path: string): Promise<TestDebugger> => {
    const client = new TestDebugger(path);
    await client.next(({ type }) => type === 'hello');
    client.send({ type: 'hello', protocol: protocolVersion, version: 'test', role: 'reader' });
    await client.next((message) => message.type === 'callOpened' && message.origin === 'relay');
    return client;
  };
  const isOwn = (message: { readonly type: string; readonly path?: string }): boolean => message.path === create;

  it('get the reports beside a debugger, which alone is asked and can hold calls', async () => {
    const { client, controlPath } = await start();
    const [first, debug] = [await reader(controlPath), await TestDebugger.connected(controlPath, ['CreateContainer'])];
    const result = callThrough(client(), create, [grpcFrame(Buffer.from('x'))]);
    const { call } = (await debug.next(({ type }) => type === 'question')) as { call: number } & object;
    first.send({ type: 'answer', call, answer: { kind: 'fault', fault: { kind: 'error', code: 8, message: 'no' } } });
    // A reader that connects later gets the call once, and the others don't get it again.
    const second = await reader(controlPath);
    debug.send({ type: 'answer', call, answer: { kind: 'hold' } });
    await Promise.all([first, second, debug].map((each) => each.next(({ type }) => type === 'held')));
    debug.send({ type: 'release', call, answer: { kind: 'go' } });
    expect((await result).trailers).toMatchObject({ 'grpc-status': '0' });
    for (const each of [first, second, debug]) {
      await each.next((message) => message.type === 'ended' && message.call === call);
      expect(each.ofType('callOpened').filter(isOwn)).toHaveLength(1);
      expect(each.ofType('question')).toHaveLength(each === debug ? 1 : 0);
      each.close();
    }
  });

  it('that disconnect leave the holds of the debugger as they are', async () => {
    const { client, controlPath } = await start();
    const [first, debug] = [await reader(controlPath), await TestDebugger.connected(controlPath, ['CreateContainer'])];
    debug.onMessage = (message) => {
      if (message.type === 'question') debug.send({ type: 'answer', call: message.call, answer: { kind: 'hold' } });
    };
    const result = callThrough(client(), create, [grpcFrame(Buffer.from('x'))]);
    const { call } = (await debug.next(({ type }) => type === 'held')) as { call: number } & object;
    first.close();
    await callThrough(client(), '/x/other', []);
    expect(debug.ofType('released')).toEqual([]);
    debug.send({ type: 'release', call, answer: { kind: 'go' } });
    await result;
    debug.close();
  });
});

describe('holds', () => {
  it('holds a call until it is released, with the rest of its time as its timeout', async () => {
    const { client, controlPath } = await start();
    const debug = await TestDebugger.connected(controlPath, ['CreateContainer']);
    const result = callThrough(client(), create, [grpcFrame(Buffer.from('x'))], { 'grpc-timeout': '20S' });
    const { call } = (await debug.next(({ type }) => type === 'question')) as { call: number } & object;
    debug.send({ type: 'answer', call, answer: { kind: 'hold' } });
    const held = await debug.next(({ type }) => type === 'held');
    const opened = debug.ofType('callOpened').find((message) => message.call === call);
    expect(held).toMatchObject({ limit: (opened?.time ?? 0) + 18_000 });
    debug.send({ type: 'release', call, answer: { kind: 'go' } });
    const timeout = String((await result).trailers['x-timeout']);
    expect(timeout).toMatch(/^\d{5}m$/);
    expect(Number.parseInt(timeout, 10)).toBeLessThanOrEqual(20_000);
    debug.close();
  });

  it('forwards calls of other streams while many large calls are held, then forwards those', async () => {
    const seen: string[] = [];
    const { client, controlPath } = await start((stream, headers) => {
      seen.push(String(headers[':path']));
      echo(stream, headers);
    });
    const debug = await TestDebugger.connected(controlPath, ['CreateContainer']);
    debug.onMessage = (message) => {
      if (message.type === 'question') debug.send({ type: 'answer', call: message.call, answer: { kind: 'hold' } });
    };
    const session = client();
    const message = grpcFrame(Buffer.alloc(1024 * 1024, 1));
    const results = Array.from({ length: 12 }, () => callThrough(session, create, [message]));
    await expect.poll(() => debug.ofType('held').length, { timeout: 120_000 }).toBe(12);
    expect(seen).not.toContain(create);
    const other = await callThrough(session, '/x/Status', [message]);
    expect(other.body.length).toBe(message.length);
    for (const { call } of debug.ofType('held')) debug.send({ type: 'release', call, answer: { kind: 'go' } });
    for (const { body } of await Promise.all(results)) expect(body.equals(message)).toBe(true);
    debug.close();
  });

  it('never forwards a held call that the client canceled', async () => {
    const seen: string[] = [];
    const { client, controlPath } = await start((stream, headers) => {
      seen.push(String(headers[':path']));
      echo(stream, headers);
    });
    const debug = await TestDebugger.connected(controlPath, ['CreateContainer']);
    const session = client();
    const stream = session.request({ ':method': 'POST', ':path': create, 'content-type': 'application/grpc' });
    stream.on('error', () => undefined);
    stream.end(grpcFrame(Buffer.from('x')));
    const { call } = (await debug.next(({ type }) => type === 'question')) as { call: number } & object;
    debug.send({ type: 'answer', call, answer: { kind: 'hold' } });
    await debug.next(({ type }) => type === 'held');
    stream.close(8);
    expect(await debug.next(({ type }) => type === 'released')).toMatchObject({ reason: 'clientGone' });
    debug.send({ type: 'release', call, answer: { kind: 'go' } });
    expect(await debug.next(({ type }) => type === 'refused')).toMatchObject({ call, reason: 'unknownCall' });
    await callThrough(session, '/x/after', []);
    expect(seen).not.toContain(create);
    expect(seen).toContain('/x/after');
    debug.close();
  });

  it('forwards a call when the question gets no answer, and rejects the late answer', async () => {
    const { client, controlPath } = await start(echo, 250);
    const debug = await TestDebugger.connected(controlPath, ['CreateContainer']);
    const result = await callThrough(client(), create, [grpcFrame(Buffer.from('x'))]);
    expect(result.trailers).toMatchObject({ 'grpc-status': '0' });
    const { call } = (await debug.next(({ type }) => type === 'question')) as { call: number } & object;
    debug.send({ type: 'answer', call, answer: { kind: 'hold' } });
    expect(await debug.next(({ type }) => type === 'refused')).toMatchObject({ call });
    debug.close();
  });

  it('forwards held and hanging calls when the debugger disconnects', async () => {
    const { client, controlPath } = await start();
    const debug = await TestDebugger.connected(controlPath, ['CreateContainer', 'StopContainer']);
    const session = client();
    const results = [create, '/runtime.v1.RuntimeService/StopContainer'].map((path) =>
      callThrough(session, path, [grpcFrame(Buffer.from('x'))]),
    );
    await expect.poll(() => debug.ofType('question').length).toBe(2);
    const [first, second] = debug.ofType('question');
    debug.send({ type: 'answer', call: first?.call ?? 0, answer: { kind: 'hold' } });
    debug.send({ type: 'answer', call: second?.call ?? 0, answer: { kind: 'fault', fault: { kind: 'hang' } } });
    await debug.next(({ type }) => type === 'held');
    await debug.next(({ type }) => type === 'faulted');
    debug.close();
    for (const { trailers } of await Promise.all(results)) expect(trailers).toMatchObject({ 'grpc-status': '0' });
  });

  it('asks about no call that affects the whole node', async () => {
    const { client, controlPath } = await start();
    const debug = await TestDebugger.connected(controlPath, ['Status', 'ListContainers']);
    await callThrough(client(), '/runtime.v1.RuntimeService/Status', [grpcFrame(Buffer.from('x'))]);
    await debug.next((message) => message.type === 'ended' && message.call === 3);
    expect(debug.ofType('question')).toEqual([]);
    debug.close();
  });
});

describe('faults', () => {
  const run = async (
    fault: Extract<Parameters<TestDebugger['send']>[0], { type: 'answer' }>['answer'],
    metadata: Record<string, string> = {},
  ) => {
    const seen: string[] = [];
    const { client, controlPath } = await start((stream, headers) => {
      if (headers[':path'] === create) seen.push(create);
      echo(stream, headers);
    });
    const debug = await TestDebugger.connected(controlPath, ['CreateContainer']);
    debug.onMessage = (message) => {
      if (message.type === 'question') debug.send({ type: 'answer', call: message.call, answer: fault });
    };
    const began = performance.now();
    const result = await callThrough(client(), create, [grpcFrame(Buffer.from('x'))], metadata);
    debug.close();
    return { ...result, seen: seen.length, ms: performance.now() - began, debug };
  };
  const message = 'no space: 100 % of /';

  it('fails a call before the runtime sees it', async () => {
    const result = await run({ kind: 'fault', fault: { kind: 'error', code: 8, message } });
    expect(result.headers).toMatchObject({ 'grpc-status': '8', 'grpc-message': 'no space: 100 %25 of /' });
    expect(result.seen).toBe(0);
  });

  it('fails a call that succeeded: the response is lost', async () => {
    const result = await run({ kind: 'fault', fault: { kind: 'errorAfter', code: 14, message } });
    expect(result.headers).toMatchObject({ 'grpc-status': '14' });
    expect(result.body.length).toBe(0);
    expect(result.seen).toBe(1);
  });

  it('fails a call that succeeded when the debugger asks about responses and answers with an error', async () => {
    const { client, controlPath } = await start();
    const debug = await TestDebugger.connected(controlPath, [], ['CreateContainer']);
    debug.onMessage = (received) => {
      if (received.type !== 'question') return;
      expect(received.phase).toBe('after');
      const fault = { kind: 'error', code: 14, message } as const;
      debug.send({ type: 'answer', call: received.call, answer: { kind: 'fault', fault } });
    };
    const result = await callThrough(client(), create, [grpcFrame(Buffer.from('x'))]);
    expect(result.headers).toMatchObject({ 'grpc-status': '14' });
    expect(result.body.length).toBe(0);
    await debug.next(({ type }) => type === 'ended');
    expect(debug.ofType('response').map(({ bytes }) => bytes.length)).toContain(1);
    debug.close();
  });

  it("keeps the runtime's own error in place of a lost response", async () => {
    const result = await run({ kind: 'fault', fault: { kind: 'errorAfter', code: 14, message } }, { 'x-status': '5' });
    expect(result.trailers).toMatchObject({ 'grpc-status': '5' });
    expect(result.body.length).toBe(6);
  });

  it('delays a call', async () => {
    const result = await run({ kind: 'fault', fault: { kind: 'delay', ms: 120 } });
    expect(result.trailers).toMatchObject({ 'grpc-status': '0' });
    expect(result.ms).toBeGreaterThan(110);
  });

  it('cuts a stream after a number of messages', async () => {
    const result = await run({ kind: 'fault', fault: { kind: 'cut', afterMessages: 1 } });
    expect(result.code).toBe(2);
    expect(result.body.length).toBe(6);
    expect(result.seen).toBe(1);
  });
});
