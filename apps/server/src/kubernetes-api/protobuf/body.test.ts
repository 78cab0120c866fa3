import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './body.ts';

const varint = (value: bigint): number[] =>
  value > 0x7fn ? [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)] : [Number(value)];
const bytes = (field: number, content: string | Buffer): Buffer => {
  const body = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint(BigInt(field * 8 + 2)), ...varint(BigInt(body.length))]), body]);
};
const integer = (field: number, value: bigint): Buffer =>
  Buffer.from([...varint(BigInt(field * 8)), ...varint(BigInt.asUintN(64, value))]);
const entry = (key: string, value: string): Buffer => Buffer.concat([bytes(1, key), bytes(2, value)]);
const document = (kind: string, ...fields: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    bytes(1, Buffer.concat([bytes(1, 'v1'), bytes(2, kind)])),
    bytes(2, Buffer.concat(fields)),
    bytes(3, ''),
    bytes(4, ''),
  ]);

describe('decodeProtobuf', () => {
  it('decodes config maps', () => {
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
        document(
          'ConfigMap',
          bytes(1, metadata),
          bytes(2, entry('a', 'b')),
          bytes(2, entry('c', '')),
          bytes(3, entry('bin', '\u0001')),
          integer(4, 1n),
        ),
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

  it('decodes secrets with arbitrary keys', () => {
    expect(
      decodeProtobuf(
        document('Secret', bytes(1, bytes(1, 's')), bytes(2, entry('__proto__', 'x')), bytes(3, 'Opaque')),
      ),
    ).toMatchObject({
      metadata: { name: 's' },
      type: 'Opaque',
    });
  });

  it('decodes pods, and omits the zero values that Go writes for unset fields', () => {
    const port = Buffer.concat([bytes(1, 'http'), integer(2, 0n), integer(3, 80n), bytes(4, 'TCP'), bytes(5, '')]);
    const probe = Buffer.concat([
      bytes(
        1,
        bytes(
          3,
          Buffer.concat([bytes(1, Buffer.concat([integer(1, 1n), integer(2, 0n), bytes(3, 'http')])), bytes(2, '')]),
        ),
      ),
      integer(2, 0n),
      integer(4, 5n),
    ]);
    const resources = bytes(1, Buffer.concat([bytes(1, 'memory'), bytes(2, bytes(1, '64Mi'))]));
    const variable = Buffer.concat([
      bytes(1, 'A'),
      bytes(2, ''),
      bytes(3, bytes(3, Buffer.concat([bytes(1, bytes(1, 'settings')), bytes(2, 'a')]))),
    ]);
    const container = Buffer.concat([
      bytes(1, 'app'),
      bytes(3, 'sh'),
      bytes(3, '-c'),
      bytes(6, port),
      bytes(7, variable),
      bytes(8, resources),
      bytes(11, probe),
      integer(16, 0n),
      integer(18, 1n),
    ]);
    const ephemeral = Buffer.concat([
      bytes(1, Buffer.concat([bytes(1, 'debugger'), integer(16, 1n)])),
      bytes(2, 'app'),
    ]);
    const volume = Buffer.concat([
      bytes(1, 'v'),
      bytes(2, bytes(19, Buffer.concat([bytes(1, bytes(1, 'settings')), integer(3, 0o400n)]))),
    ]);
    const spec = Buffer.concat([
      bytes(1, volume),
      bytes(2, container),
      integer(4, 0n),
      integer(11, 0n),
      integer(30, 0n),
      bytes(34, ephemeral),
    ]);
    expect(
      decodeProtobuf(document('Pod', bytes(1, bytes(1, 'web')), bytes(2, spec), bytes(3, bytes(1, 'Running')))),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        volumes: [{ name: 'v', configMap: { name: 'settings', defaultMode: 0o400 } }],
        containers: [
          {
            name: 'app',
            command: ['sh', '-c'],
            ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
            env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }],
            resources: { limits: { memory: '64Mi' } },
            readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 5 },
            tty: true,
          },
        ],
        terminationGracePeriodSeconds: 0,
        enableServiceLinks: false,
        ephemeralContainers: [{ name: 'debugger', stdin: true, targetContainerName: 'app' }],
      },
    });
  });

  it('decodes delete options', () => {
    const options = decodeProtobuf(
      document('DeleteOptions', integer(1, -1n), bytes(2, bytes(1, 'the-uid')), bytes(4, 'Background')),
    );
    expect(options).toMatchObject({
      gracePeriodSeconds: -1,
      preconditions: { uid: 'the-uid' },
      propagationPolicy: 'Background',
    });
  });

  it.each([
    ['a body without the magic bytes', Buffer.from('hello')],
    ['an unknown kind', document('Widget')],
    ['a length beyond the end', Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, 0x7f])])],
    ['a number without end', Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(20, 0xff)])],
    ['an invalid wire type', Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0b])])],
  ])('rejects %s', (_name, body) => {
    expect(() => decodeProtobuf(body)).toThrow(expect.objectContaining({ code: 400 }) as Error);
  });
});
