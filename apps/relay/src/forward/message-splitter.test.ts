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

it('returns a large message, the messages around it, and frees its memory on request', () => {
  const large = Buffer.alloc(3 * 1024 * 1024, 7);
  const stream = Buffer.concat([Buffer.from('first'), large, Buffer.from('last')].map((message) => grpcFrame(message)));
  const splitter = new MessageSplitter();
  const found = [];
  for (let at = 0; at < stream.length; at += 65_536) {
    const chunk = stream.subarray(at, at + 65_536);
    for (const each of splitter.push(chunk)) {
      const text = each.bytes.toString('latin1');
      each.release?.();
      found.push({ text, left: chunk.length - each.end, kept: each.release ? each.bytes.length : 0 });
    }
  }
  const after = grpcFrame(Buffer.from('last')).length;
  expect(found.map(({ text }) => text)).toEqual(['first', large.toString('latin1'), 'last']);
  expect(found.slice(1).map(({ left }) => left)).toEqual([after, 0]);
  expect(found.map(({ kept }) => kept)).toEqual([0, 0, 0]);
});
