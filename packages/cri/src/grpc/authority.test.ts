import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuthorityRewriter } from './authority.ts';
import { fakeServices, serveFake, versionResponse } from './testing/fake-runtime.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Returns a HEADERS frame. The default flag is END_HEADERS. */
function headers(block: readonly number[], flags = 0x4): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(block.length, 0, 3);
  head.writeUInt8(1, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(1, 5);
  return Buffer.concat([head, Buffer.from(block)]);
}

const text = (value: string): number[] => [value.length, ...Buffer.from(value)];

/** Passes bytes through the rewriter in pieces of this length and returns its output. */
function passed(bytes: Buffer, pieceLength: number): Buffer {
  const rewriter = new AuthorityRewriter();
  const out: Buffer[] = [];
  // The rewriter may change the pieces that it receives, so it gets a copy.
  const input = Buffer.from(bytes);
  for (let at = 0; at < input.length; at += pieceLength)
    out.push(...rewriter.push(Buffer.from(input.subarray(at, at + pieceLength))));
  return Buffer.concat([...out, rewriter.flush()]);
}

describe('an :authority that is a path', () => {
  it.each([1, 2, 7, 10_000])('has its slashes replaced, in pieces of %d bytes', (pieceLength) => {
    const [method, path] = [0x83, [0x04, ...text('/a/b')]];
    const data = Buffer.from([0, 0, 6, 0, 0, 0, 0, 0, 1, ...Buffer.from('/data/')]);
    const given = (authority: string): Buffer =>
      Buffer.concat([
        preface,
        Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
        // The blocks have fields with incremental indexing, without indexing and never indexed. The frames have
        // padding, a priority, and a table size update before the fields.
        headers([method, ...path, 0x41, ...text(authority), 0x40, ...text('x/y'), ...text('/z/')]),
        data,
        headers([0x3f, 0xe1, 0x1f, 0x01, ...text(authority), 0x11, ...text(authority)]),
        headers([3, 0x41, ...text(authority), 0, 0, 0], 0x4 | 0x8),
        headers([0, 0, 0, 0, 9, 0x41, ...text(authority)], 0x4 | 0x20),
        data,
      ]);
    expect(passed(given('/run/x.sock'), pieceLength)).toEqual(given('-run-x.sock'));
  });

  // The Huffman code of RFC 7541 for "/run/x.sock" and "-run-x.sock", computed by hand.
  it('has its slashes replaced in Huffman code', () => {
    const codes: Readonly<Record<string, string>> = {
      '/': '011000',
      '-': '010110',
      r: '101100',
      u: '101101',
      n: '101010',
      x: '1111001',
      '.': '010111',
      s: '01000',
      o: '00111',
      c: '00100',
      k: '1110101',
    };
    const encode = (value: string): number[] => {
      const bits = value.replaceAll(/./g, (letter) => codes[letter] ?? '');
      const full = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
      const bytes = full.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
      return [0x80 | bytes.length, ...bytes];
    };
    const given = (authority: string): Buffer =>
      Buffer.concat([preface, headers([0x41, ...encode(authority), 0x44, ...encode('/run/x')])]);
    expect(passed(given('/run/x.sock'), 10_000)).toEqual(given('-run-x.sock'));
  });

  it('leaves all other bytes unchanged, for any split into pieces', () => {
    const start = fc.constantFrom(Buffer.alloc(0), preface, preface.subarray(0, 9));
    const torn = fc.uint8Array({ maxLength: 40 }).map((bytes) =>
      headers(
        [...bytes].filter((byte) => byte !== 0x2f && byte < 0x80),
        0x2d,
      ),
    );
    const rest = fc.array(
      fc.oneof(
        torn,
        fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes.map((byte) => (byte === 1 ? 2 : byte)))),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(start, rest, fc.integer({ min: 1, max: 50 }), (first, others, pieceLength) => {
        const bytes = Buffer.concat([first, ...others]);
        expect(passed(bytes, pieceLength)).toHaveLength(bytes.length);
      }),
    );
  });
});

describe('a client that names the socket as its authority', () => {
  it('is served, even with an indexed header', async () => {
    const server = await serveFake(fakeServices());
    onTestFinished(() => server.close());
    const { path } = server;
    const client = new Client(`unix:${path}`, credentials.createInsecure(), { 'grpc.default_authority': path });
    onTestFinished(() => client.close());
    const call = (method: string): Promise<Buffer | undefined> =>
      new Promise((resolve, reject) => {
        const same = (value: Buffer): Buffer => value;
        client.makeUnaryRequest(
          method,
          same,
          same,
          Buffer.alloc(0),
          new Metadata(),
          { deadline: Date.now() + 120_000 },
          (error, answer) => (error ? reject(error) : resolve(answer)),
        );
      });
    for (const version of ['v1', 'v1alpha2', 'v1', 'v1alpha2']) {
      expect((await call(`/runtime.${version}.RuntimeService/Version`))?.toString('latin1')).toContain(
        versionResponse.runtimeVersion,
      );
    }
  });

  it('is disconnected when the server stops', async () => {
    const server = await serveFake(fakeServices());
    const { path } = server;
    const socket = connect(path);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const session = connectHttp2('http://localhost', { createConnection: () => socket });
    session.on('error', () => undefined);
    const stream = session.request({
      ':method': 'POST',
      ':authority': path,
      ':path': '/no.such.Service/Call',
      'content-type': 'application/grpc',
    });
    const status = new Promise((resolve) => stream.once('response', (answer) => resolve(answer['grpc-status'])));
    stream.on('error', () => undefined).end();
    // The status UNIMPLEMENTED shows that the call reached the server.
    expect(await status).toBe('12');
    stream.resume();
    await server.close();
    await closed;
  });
});
