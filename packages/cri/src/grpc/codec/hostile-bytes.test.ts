/**
 * Tests the server with invalid input: random bytes, truncated frames, huge lengths, unknown methods, and bodies that
 * aren't protobuf.
 */
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCri } from '../client/connect.ts';
import { socketPath } from '../endpoint.ts';
import { maxMessageSize } from '../limits.ts';
import { fakeServices, type Served, serveFake, testContext, versionResponse } from '../testing/fake-runtime.ts';

const settings = { seed: 9, numRuns: 80 };
/** Names of existing methods, so that the bytes reach a decoder. */
const methods = [
  'RunPodSandbox',
  'ListContainers',
  'CreateContainer',
  'UpdateContainerResources',
  'GetContainerEvents',
  'Exec',
  'Version',
];
const pathOf = (method: string): string => `/runtime.v1.RuntimeService/${method}`;
let served: Served;
let path: string;
let session: ClientHttp2Session;
const failures: unknown[] = [];
const onFailure = (error: unknown): void => void failures.push(error);

beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', onFailure);
  served = await serveFake(fakeServices());
  path = socketPath(served.endpoint);
  session = connectHttp2('http://localhost', { createConnection: () => connect(path) });
});
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', onFailure);
  session.destroy();
  await served.close();
});

/** Checks that the server still answers valid calls and that no exception was unhandled. */
async function health(): Promise<unknown> {
  const remote = await connectCri(testContext(), served.endpoint);
  await remote.close();
  return { version: remote.version, failures };
}
const healthy = { version: versionResponse, failures: [] };

/** Sends bytes to the socket until the server closes it, answers twice, or has received all of them. */
const sendRaw = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(path, () => socket.end(bytes));
    socket.on('data', () => undefined);
    socket.on('close', () => resolve());
    socket.on('error', () => resolve());
  });

/**
 * Returns a gRPC message.
 * @param claimed the length in its header
 */
function frame(content: Uint8Array, claimed: number = content.length, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(claimed, 1);
  return Buffer.concat([head, content]);
}

/**
 * Makes a call with an arbitrary body.
 * @returns the gRPC status; undefined if the stream ended without a status
 */
const call = (to: string, body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<string | undefined> =>
  new Promise((resolve) => {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: to,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    let status: string | undefined;
    const take = (given: { readonly [name: string]: unknown }): void => {
      const found = given['grpc-status'];
      if (typeof found === 'string') status = found;
    };
    stream.on('response', take).on('trailers', take);
    stream.on('error', () => undefined).on('close', () => resolve(status));
    stream.resume();
    stream.end(body);
  });

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Generates HTTP/2 frames in which each part may be invalid. */
const http2Frame = fc
  .tuple(
    fc.integer({ min: 0, max: 0xff_ff_ff }),
    fc.integer({ min: 0, max: 12 }),
    fc.nat(255),
    fc.nat(9),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([length, type, flags, stream, content]) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(content.length % 2 === 0 ? content.length : length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, content]);
  });

describe('the socket survives', () => {
  it('any bytes, even after the preface of HTTP/2', async () => {
    const start = fc.constantFrom(
      Buffer.alloc(0),
      preface,
      preface.subarray(0, 9),
      Buffer.concat([preface, Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])]),
    );
    const rest = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.array(http2Frame, { maxLength: 6 }).map((frames) => Buffer.concat(frames)),
    );
    await fc.assert(
      fc.asyncProperty(start, rest, (first, second) => sendRaw(Buffer.concat([first, second]))),
      settings,
    );
    expect(await health()).toEqual(healthy);
  });

  it('invalid bodies, and answers each with a status', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), fc.uint8Array({ maxLength: 200 }), async (method, content) => {
        expect(await call(pathOf(method), frame(content))).toMatch(/^\d+$/);
      }),
      settings,
    );
    expect(await health()).toEqual(healthy);
  });

  it('torn frames, frames with a wrong length, and too many messages', async () => {
    const claims = fc.oneof(
      fc.nat(300),
      fc.constantFrom(0xff_ff_ff_ff, 0x7f_ff_ff_ff, maxMessageSize, maxMessageSize + 1),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.uint8Array({ maxLength: 60 }),
        claims,
        fc.nat(255),
        fc.nat(70),
        async (method, content, claimed, flag, end) => {
          const bytes = Buffer.concat([frame(content, claimed, flag), frame(content)]).subarray(0, end);
          await call(pathOf(method), bytes);
        },
      ),
      settings,
    );
    expect(await health()).toEqual(healthy);
  });

  it('unknown methods and headers', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'abcR/.%-~09'.split('')), maxLength: 40 });
    const headers = fc.record(
      {
        'content-type': fc.oneof(text, fc.constant('application/grpc+json')),
        'grpc-timeout': text,
        'grpc-encoding': text,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(text, headers, async (name, given) => {
        await call(`/${name}`, frame(Buffer.alloc(3)), given);
        await call(pathOf('Version'), frame(Buffer.alloc(0)), given);
      }),
      settings,
    );
    expect(await call('/runtime.v1.RuntimeService/NoSuchMethod', frame(Buffer.alloc(0)))).toBe('12');
    expect(await call('/no.such.Service/Version', frame(Buffer.alloc(0)))).toBe('12');
    expect(await health()).toEqual(healthy);
  });

  it('a length above the limit, which is rejected at once without an allocation', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => call(pathOf('ListContainers'), frame(Buffer.alloc(16), 0xff_ff_ff_ff))),
    );
    // The gRPC status 8 is RESOURCE_EXHAUSTED.
    expect(new Set(statuses)).toEqual(new Set(['8']));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * maxMessageSize);
    expect(await health()).toEqual(healthy);
  });

  it('a compression bomb, which is rejected before it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(3 * maxMessageSize));
    const before = process.memoryUsage().arrayBuffers;
    expect(await call(pathOf('ListContainers'), frame(bomb, bomb.length, 1), { 'grpc-encoding': 'gzip' })).toBe('8');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * maxMessageSize);
    expect(await health()).toEqual(healthy);
  });

  it('lengths beyond the message and endlessly nested messages', async () => {
    const nested = Array.from({ length: 5_000 }).reduce<Buffer>(
      (inner) => Buffer.concat([Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), inner]),
      Buffer.alloc(0),
    );
    for (const content of [
      Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
      Buffer.from([0x0b]),
      Buffer.alloc(64, 0xff),
      nested,
    ])
      for (const method of methods) expect(await call(pathOf(method), frame(content))).toMatch(/^\d+$/);
    expect(await health()).toEqual(healthy);
  });
});
