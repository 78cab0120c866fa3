import { toJson } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import {
  EventPacker,
  EventUnpacker,
  maxPackedEvents,
  type PackedEvents,
  packedEventsSchema,
  splitEvent,
} from './packed-events.ts';

const { events } = crashLoop(6);
const split = events.map((event) => splitEvent(event, toJson));

/** Returns all messages of a backlog. */
function packed(all = split, packer = new EventPacker()): readonly PackedEvents[] {
  const messages: PackedEvents[] = [];
  for (let at = 0; at < all.length; ) {
    const { text, count } = packer.pack(all.slice(at));
    messages.push(packedEventsSchema.parse(JSON.parse(text)));
    at += count;
  }
  return messages;
}

const base = { type: 'output', seq: 1, time: 5, thread: 'main', level: 'info', message: 'x' } as const;

/** Returns a new copy of the first message for each test, because unpacking changes the message. */
function firstMessage(): PackedEvents {
  const [first] = packed();
  return first as PackedEvents;
}

const message = firstMessage();

describe('packed events', () => {
  it('are the same events after unpacking', () => {
    const unpacker = new EventUnpacker();
    expect(packed().flatMap((each) => unpacker.unpack(each) ?? [])).toEqual(JSON.parse(toJson(events)));
  });

  it('share equal parts in memory, also those of different templates', () => {
    const labels = { 'io.kubernetes.pod.name': 'web-0', 'io.kubernetes.pod.namespace': 'default' };
    const two = [1, 2].map((seq) => ({ ...base, seq, attributes: { number: seq, labels: { ...labels } } }));
    const unpacker = new EventUnpacker();
    const [one, other] = packed(two.map((event) => splitEvent(event, toJson))).flatMap(
      (each) => unpacker.unpack(each) ?? [],
    );
    expect([one, other]).toEqual(two);
    expect(one?.type === 'output' && one.attributes?.['labels']).toBe(
      other?.type === 'output' && other.attributes?.['labels'],
    );
  });

  it('keep objects that look like a reference to a shared part', () => {
    const attributes = { odd: { $: 0, other: [{ $: ['x'] }], text: 'a text that is long enough to be shared' } };
    const unpacker = new EventUnpacker();
    const odd = { ...base, attributes };
    expect(packed([splitEvent(odd, toJson)]).flatMap((each) => unpacker.unpack(each) ?? [])).toEqual([odd]);
  });

  it('repeat no template in a backlog', () => {
    const templates = packed().flatMap((each) => each.templates.map((template) => JSON.stringify(template)));
    expect(new Set(templates).size).toBe(templates.length);
    expect(templates.length).toBeLessThan(events.length);
  });

  it('come in messages of a limited number of events', () => {
    const alike = Array.from({ length: maxPackedEvents + 10 }, (_, index) => ({
      seq: index + 1,
      time: index,
      span: undefined,
      parent: undefined,
      template: '{"type":"output","seq":1,"time":0,"thread":"main","level":"info","message":"x"}',
    }));
    expect(packed(alike).map(({ rows }) => rows.length)).toEqual([maxPackedEvents, 10]);
  });

  it('come in messages of a limited length', () => {
    const large = Array.from({ length: 8 }, (_, index) => ({
      seq: index + 1,
      time: index,
      span: undefined,
      parent: undefined,
      template: JSON.stringify({ type: 'output', message: String(index).repeat(200_000) }),
    }));
    expect(packed(large).map(({ rows }) => rows.length)).toEqual([2, 2, 2, 2]);
  });

  it('begin a new list of templates with a new packer', () => {
    const unpacker = new EventUnpacker();
    for (const each of packed()) unpacker.unpack(each);
    const again = packed(split.slice(0, 50)).flatMap((each) => unpacker.unpack(each) ?? []);
    expect(again).toEqual(JSON.parse(toJson(events.slice(0, 50))));
  });

  it.each<[string, Partial<PackedEvents>]>([
    ['a template that is no event', { templates: [{ type: 'spanStarted' }, ...message.templates.slice(1)] }],
    ['a row without a template', { rows: [...message.rows.slice(1), 1_000_000] }],
    ['fewer times than rows', { times: message.times.slice(1) }],
    ['fewer spans than the templates have', { spans: message.spans.slice(1) }],
    ['more spans than the templates have', { spans: [...message.spans, 1] }],
    ['fewer parents than the templates have', { parents: message.parents.slice(1) }],
    ['templates that were never sent', { known: 3 }],
    ['parts that were never sent', { parts: [] }],
  ])('are rejected with %s', (_, change) => {
    expect(new EventUnpacker().unpack({ ...firstMessage(), ...change })).toBeUndefined();
  });
});
