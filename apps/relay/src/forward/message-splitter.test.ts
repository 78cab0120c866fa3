import { array, assert, boolean, integer, property, tuple, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';
import { grpcFrame } from '../testing/served-relay.ts';
import { MessageSplitter } from './message-splitter.ts';

it('returns all messages, wherever the stream is cut', () => {
  assert(
    property(array(uint8Array({ maxLength: 40 })), integer({ min: 1, max: 30 }), (messages, length) => {
      const stream = Buffer.concat(messages.map((message) => grpcFrame(message)));
      const splitter = new MessageSplitter();
      const found: number[][] = [];
      for (let at = 0; at < stream.length; at += length)
        for (const { bytes } of splitter.push(stream.subarray(at, at + length))) found.push([...bytes]);
      expect(found).toEqual(messages.map((message) => [...message]));
    }),
  );
});

it('finds the messages after those that were not kept', () => {
  assert(
    property(array(tuple(uint8Array({ maxLength: 40 }), boolean())), (messages) => {
      const splitter = new MessageSplitter();
      for (const [message, keep] of messages) {
        const frame = grpcFrame(message);
        const found = splitter.push(frame, keep);
        expect(found.map(({ bytes, end }) => [[...bytes], end])).toEqual(keep ? [[[...message], frame.length]] : []);
      }
    }),
  );
});
