import { instant, type TraceEvent } from '@podscope/trace';
import { expect, it } from 'vitest';
import { decodeRunPart, encodeRunPart } from './run-part.ts';

const events = Array.from(
  { length: 200 },
  (_each, index): TraceEvent => ({
    type: 'output',
    seq: index + 5,
    time: instant(index),
    thread: 'syncLoop',
    level: 'info',
    message: 'the same words 容器',
  }),
);

it('returns the events of an encoded part, in a tenth of their size', async () => {
  const part = await encodeRunPart('run-1', { events });
  expect([part.from, part.to]).toEqual([5, 204]);
  expect(part.data.length).toBeLessThan(JSON.stringify(events).length / 10);
  expect(await decodeRunPart(part)).toEqual({ events });
});

it('returns the log lines of a part, and numbers a part without events after the events before it', async () => {
  const lines = [{ time: 7, stream: 'stdout' as const, text: 'about to fail\n' }];
  const logs = [{ namespace: 'default', pod: 'web', container: 'app', previous: false, from: 0, lines }];
  const part = await encodeRunPart('run-1', { events: [], logs }, 204);
  expect([part.from, part.to]).toEqual([205, 204]);
  expect(await decodeRunPart(part)).toEqual({ events: [], logs });
});

it('rejects a part whose events are not valid', async () => {
  const part = await encodeRunPart('run-1', { events: [{ type: 'unknown' } as unknown as TraceEvent] });
  await expect(decodeRunPart(part)).rejects.toThrow(/type/);
});
