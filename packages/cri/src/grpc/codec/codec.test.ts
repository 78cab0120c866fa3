import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import type { ContainerStatus } from '../../messages.ts';
import { arbitraryMessage } from '../testing/arbitrary-message.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { messageSchemas, protoFile } from './schema.ts';

function schema(name: string): (typeof messageSchemas)[number] {
  const found = messageSchemas.find((message) => message.name === name);
  if (!found) throw new Error(`no message ${name}`);
  return found;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('the codec', () => {
  it.each(messageSchemas)('decodes what it encoded: $name', (message) => {
    fc.assert(
      fc.property(arbitraryMessage(message), (value) => {
        expect(decode(message, encode(message, value), 'refuse')).toEqual(value);
      }),
      { numRuns: 30 },
    );
  });

  it('encodes messages that an independent implementation decodes', () => {
    const root = protobuf.loadSync(protoFile.pathname);
    fc.assert(
      fc.property(
        fc
          .constantFrom(...messageSchemas)
          .chain((message) => fc.tuple(fc.constant(message), arbitraryMessage(message))),
        ([message, value]) => {
          const type = root.lookupType(`runtime.v1.${message.name}`);
          const bytes = encode(message, value);
          const theirs = type.encode(type.decode(bytes)).finish();
          expect(decode(message, theirs, 'refuse')).toEqual(value);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps instants to the nanosecond', () => {
    const timestamp = 1_763_712_000_123_456_789n;
    expect(
      decode(schema('PodSandboxStatusResponse'), encode(schema('PodSandboxStatusResponse'), { timestamp }), 'empty'),
    ).toMatchObject({ timestamp });
  });

  it('omits absent messages and optional zeros, and restores required fields', () => {
    expect(decode(schema('ContainerStatus'), new Uint8Array(), 'empty')).toEqual({
      id: '',
      metadata: { name: '', attempt: 0 },
      state: 'CONTAINER_CREATED',
      createdAt: 0n,
      startedAt: 0n,
      finishedAt: 0n,
      exitCode: 0,
      image: { image: '' },
      imageRef: '',
      reason: '',
      message: '',
      labels: {},
      annotations: {},
      mounts: [],
      logPath: '',
    } satisfies ContainerStatus);
  });

  it('rejects a request without a required field and names it', () => {
    const config = { labels: {}, annotations: {}, logPath: '', image: { image: 'busybox' } };
    const bytes = encode(schema('CreateContainerRequest'), { podSandboxId: 'a', config });
    expect(() => decode(schema('CreateContainerRequest'), bytes, 'refuse')).toThrow(
      'ContainerConfig.metadata is required',
    );
  });

  it('accepts missing fields below an optional message, as critest sends them', () => {
    const bytes = encode(schema('PullImageRequest'), { image: { image: 'busybox' }, sandboxConfig: { labels: {} } });
    expect(decode(schema('PullImageRequest'), bytes, 'refuse')).toEqual({
      image: { image: 'busybox' },
      sandboxConfig: { metadata: { name: '', uid: '', namespace: '', attempt: 0 } },
    });
  });

  it('decodes packed and unpacked lists of numbers', () => {
    const packed = encode(schema('PortForwardRequest'), { podSandboxId: '', port: [80, -1] });
    expect(hex(packed)).toBe('120b50ffffffffffffffffff01');
    const unpacked = Uint8Array.from([0x10, 80, 0x10, 81]);
    expect(decode(schema('PortForwardRequest'), unpacked, 'refuse')).toEqual({ podSandboxId: '', port: [80, 81] });
  });

  it('skips fields and enum values of a later release', () => {
    const later = Uint8Array.from([0x0a, 1, 0x61, 0xf8, 0x07, 1, 0xfa, 0x07, 2, 1, 2, 0x18, 99]);
    expect(decode(schema('PodSandbox'), later, 'empty')).toMatchObject({ id: 'a', state: 'SANDBOX_READY' });
  });

  it("rejects bytes that aren't a message", () => {
    const cutOff = Uint8Array.from([0x0a, 50, 1]);
    expect(() => decode(schema('RunPodSandboxRequest'), cutOff, 'refuse')).toThrow(RangeError);
    fc.assert(
      fc.property(fc.constantFrom(...messageSchemas), fc.uint8Array({ maxLength: 64 }), (message, bytes) => {
        // For any bytes, decoding must quickly return a message or throw an error.
        const outcome = (): unknown => {
          try {
            return decode(message, bytes, 'empty');
          } catch (error) {
            return error;
          }
        };
        expect(outcome()).toBeTypeOf('object');
      }),
    );
  });

  it('keeps numbers within 64 bits', () => {
    const usage = (value: number): unknown =>
      decode(schema('UInt64Value'), encode(schema('UInt64Value'), { value }), 'empty');
    expect(usage(2 ** 64)).toEqual({ value: 2 ** 64 });
    expect(usage(-1)).toEqual({ value: 0 });
    expect(usage(1e300)).toEqual({ value: 2 ** 64 });
    const limit = (value: number): unknown =>
      decode(schema('Int64Value'), encode(schema('Int64Value'), { value }), 'empty');
    expect(limit(-5)).toEqual({ value: -5 });
    expect(limit(1e300)).toEqual({ value: 2 ** 63 });
  });

  it('sends an environment variable as bytes, which a v1alpha2 peer reads as a string', () => {
    expect(hex(encode(schema('KeyValue'), { key: 'A', value: 'ä' }))).toBe('0a01411202c3a4');
  });
});
