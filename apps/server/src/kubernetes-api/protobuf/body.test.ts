import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './body.ts';

const varint = (value: bigint): number[] => (value > 0x7fn ? [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)] : [Number(value)]);
const bytes = (field: number, content: string | Buffer): Buffer => {
  const body = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint(BigInt(field * 8 + 2)), ...varint(BigInt(body.length))]), body]);
};
const integer = (field: number, value: bigint): Buffer => Buffer.from([...varint(BigInt(field * 8)), ...varint(BigInt.asUintN(64, value))]);
const entry = (key: string, value: string): Buffer => Buffer.concat([bytes(1, key), bytes(2, value)]);
const document = (kind: string, ...fields: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), bytes(1, Buffer.concat([bytes(1, 'v1'), bytes(2, kind)])), bytes(2, Buffer.concat(fields)), bytes(3, ''), bytes(4, '')]);

describe('decodeProtobuf', () => {
  it('reads config maps', () => {
    const metadata = Buffer.concat([
      bytes(1, 'cm'),
      bytes(2, ''),
      bytes(8, Buffer.alloc(0)),
      bytes(11, entry('app', 'web')),
      bytes(11, entry('tier', 'x')),
      bytes(14, 'a/b'),
      bytes(14, 'c/d'),
    ]);
    expect(
      decodeProtobuf(
        document('ConfigMap', bytes(1, metadata), bytes(2, entry('a', 'b')), bytes(2, entry('c', '')), bytes(3, entry('bin', '\u0001')), integer(4, 1n)),
      ),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cm', labels: { app: 'web', tier: 'x' }, finalizers: ['a/b', 'c/d'] },
      data: { a: 'b', c: '' },
      binaryData: { bin: 'AQ==' },
      immutable: true,
    });
  });

  it('reads secrets, with keys of any name', () => {
    expect(decodeProtobuf(document('Secret', bytes(1, bytes(1, 's')), bytes(2, entry('__proto__', 'x')), bytes(3, 'Opaque')))).toMatchObject({
      metadata: { name: 's' },
      type: 'Opaque',
    });
  });

  it('reads options of deletions', () => {
    const options = decodeProtobuf(document('DeleteOptions', integer(1, -1n), bytes(2, bytes(1, 'the-uid')), bytes(4, 'Background')));
    expect(options).toMatchObject({ gracePeriodSeconds: -1, preconditions: { uid: 'the-uid' }, propagationPolicy: 'Background' });
  });

  it.each([
    ['nothing of ours', Buffer.from('hello')],
    ['a kind it does not read', document('Pod')],
    ['a length beyond the end', Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, 0x7f])])],
    ['a number without end', Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(20, 0xff)])],
    ['a wire type that is none', Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0b])])],
  ])('refuses %s', (_name, body) => {
    expect(() => decodeProtobuf(body)).toThrow(expect.objectContaining({ code: 400 }) as Error);
  });
});
