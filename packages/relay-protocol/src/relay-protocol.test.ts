import {
  array,
  assert,
  constant,
  double,
  integer,
  oneof,
  property,
  record,
  string,
  tuple,
  uint8Array,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DebuggerMessage,
  debuggerMessageSchema,
  encodeHead,
  FrameReader,
  methodOfPath,
  type RelayMessage,
  relayMessageSchema,
} from './index.ts';

const message = oneof(
  record({
    type: constant('response' as const),
    call: integer({ min: 1 }),
    time: integer({ min: 0 }),
    compressed: constant(false),
  }),
  record({
    type: constant('trailers' as const),
    call: integer({ min: 1 }),
    time: double({ min: 0, max: 2e12, noNaN: true }),
    metadata: array(tuple(string(), string())),
    status: integer({ min: 0, max: 16 }),
    message: string(),
    injected: constant(true),
  }),
);

describe('frames', () => {
  it('returns the messages and bytes that were encoded, wherever the stream is cut', () => {
    assert(
      property(array(tuple(message, uint8Array())), integer({ min: 1, max: 50 }), (sent, pieceLength) => {
        const stream = new Uint8Array(
          sent.flatMap(([head, bytes]) => [...encodeHead(head satisfies RelayMessage, bytes.length), ...bytes]),
        );
        const reader = new FrameReader();
        const received: [unknown, number[]][] = [];
        for (let at = 0; at < stream.length; at += pieceLength)
          for (const frame of reader.push(stream.subarray(at, at + pieceLength)))
            received.push([relayMessageSchema.parse(frame.message), [...frame.bytes]]);
        expect(received).toEqual(sent.map(([head, bytes]) => [head, [...bytes]]));
      }),
    );
  });

  it('throws for bytes of another protocol', () => {
    expect(() => new FrameReader().push(new TextEncoder().encode('PRI * HTTP/2.0'))).toThrow('not of the relay');
  });
});

describe('messages of the debugger', () => {
  it('accepts the answers and rejects a fault with the code OK', () => {
    const hold: DebuggerMessage = { type: 'answer', call: 3, answer: { kind: 'hold' } };
    expect(debuggerMessageSchema.parse(hold)).toEqual(hold);
    const fault = { kind: 'error', code: 0, message: '' };
    expect(debuggerMessageSchema.safeParse({ type: 'answer', call: 3, answer: { kind: 'fault', fault } }).success).toBe(
      false,
    );
  });
});

it('returns the method of a path', () => {
  expect(methodOfPath('/runtime.v1.ImageService/PullImage')).toBe('PullImage');
});
