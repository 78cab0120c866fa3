import { connect } from 'node:http2';
import { type AddressInfo, createServer as createSocketServer, connect as openSocket } from 'node:net';
import { decodeHuffman } from '@podscope/cri/hpack';
import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader, frameTypes } from './frames.ts';
import { encodeFields, type Fields, HeaderDecoder } from './hpack.ts';

const name = constantFrom(':path', 'grpc-timeout', 'x-custom-header', 'user-agent', ':status');

describe('encodeFields', () => {
  it('encodes blocks that decode to the same fields', () => {
    assert(
      property(array(array(tuple(name, string({ unit: 'binary-ascii', maxLength: 300 })))), (blocks) => {
        const decoder = new HeaderDecoder();
        for (const fields of blocks) expect(decoder.decode(encodeFields(fields))).toEqual(fields);
      }),
    );
  });
});

describe('HeaderDecoder', () => {
  it('throws for a block that ends within a field', () => {
    expect(() => new HeaderDecoder().decode(Buffer.from([0x40, 0x05, 0x61]))).toThrow('ends within');
  });

  it('throws for an index without an entry', () => {
    expect(() => new HeaderDecoder().decode(Buffer.from([0xff, 0x10]))).toThrow('invalid index');
  });

  it('decodes the Huffman strings and the dynamic table of another implementation', async () => {
    const values = ['/runtime.v1.RuntimeService/CreateContainer', 'ÿ{}|~<>%^', '00-0af7651916cd43dd-b7ad-01', ''];
    const all = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
    const received: Fields[] = [];
    const finished = Promise.withResolvers<void>();
    const server = createSocketServer((socket) => {
      const reader = new FrameReader(true);
      const decoder = new HeaderDecoder();
      // An empty SETTINGS frame, which the client waits for.
      socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        for (const { type, payload, flags } of reader.push(chunk)) {
          if (type !== frameTypes.headers) continue;
          received.push(decoder.decode(flags & 0x20 ? payload.subarray(5) : payload));
          if (received.length === 3) finished.resolve();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const session = connect('http://localhost', { createConnection: () => openSocket(port, '127.0.0.1') });
    session.on('error', () => undefined);
    const sent = { ':method': 'POST', ':path': values[0], 'x-odd': values[1], traceparent: values[2], 'x-all': all };
    for (let count = 0; count < 3; count += 1) session.request(sent).on('error', () => undefined);
    await finished.promise;
    session.destroy();
    server.close();
    for (const fields of received) {
      const byName = Object.fromEntries(fields);
      expect(byName).toMatchObject({ ':path': values[0], 'x-odd': values[1], traceparent: values[2], 'x-all': all });
    }
  });
});

describe('decodeHuffman', () => {
  it('throws for padding that is not ones', () => {
    expect(() => decodeHuffman(Buffer.from([0x00]))).toThrow('padding');
  });
});
