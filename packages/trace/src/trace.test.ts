import { describe, expect, it } from 'vitest';
import { traceEventSchema } from './events/event-schema.ts';
import { background, EventLog, parseTime, sleep, Tracer, VirtualClock } from './index.ts';
import type { Point } from './point.ts';

const point: Point = { id: 'test.outer', kind: 'function', title: 'outer' };

describe('Tracer', () => {
  it('emits start, decision and end, valid for the schema and numbered without gaps', async () => {
    const clock = new VirtualClock();
    const log = new EventLog(clock);
    const ctx = background(clock, new Tracer(log), 'uid-1');
    const run = ctx.tracer.span(ctx, point, { a: 1 }, async (inner) => {
      inner.tracer.decide(inner, 'rule', { fact: true }, 'yes');
      await sleep(inner.clock, 1000);
      inner.span.set({ b: 2 });
      return 'done';
    });
    await clock.advance(1000);
    expect(await run).toBe('done');
    const events = log.after(0);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'spanStarted'],
      [2, 'decision'],
      [3, 'spanEnded'],
    ]);
    expect(events[2]).toMatchObject({ outcome: 'ok', attributes: { b: 2 }, thread: 'uid-1' });
    expect((events[2]?.time ?? 0) - (events[0]?.time ?? 0)).toBe(1000);
    for (const event of events) expect(traceEventSchema.parse(event)).toMatchObject({ seq: event.seq });
  });

  it('rethrows an error of the body and records it in the end event', async () => {
    const clock = new VirtualClock();
    const log = new EventLog(clock);
    const ctx = background(clock, new Tracer(log));
    await expect(ctx.tracer.span(ctx, point, {}, () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    expect(log.after(1)[0]).toMatchObject({ type: 'spanEnded', outcome: 'error', error: { message: 'boom' } });
  });
});

describe('EventLog', () => {
  it('drops old events and reports the oldest one left', () => {
    const log = new EventLog(new VirtualClock(), 100);
    for (let i = 0; i < 300; i++) log.append({ type: 'output', thread: 'main', level: 'info', message: String(i) });
    expect(log.lastSeq).toBe(300);
    expect(log.after(0)[0]?.seq).toBe(log.firstSeq);
    expect(log.after(0)).toHaveLength(log.lastSeq - log.firstSeq + 1);
    expect(log.after(299)).toMatchObject([{ seq: 300, message: '299' }]);
  });
});

it('parses RFC 3339 times with nanoseconds', () => {
  expect(parseTime('2026-01-01T00:00:00.5Z')).toBe(Date.UTC(2026, 0, 1) + 500);
  expect(() => parseTime('yesterday')).toThrow('not an RFC 3339 time: "yesterday"');
});
