import { RunFold, type UnstampedEvent } from '@podscope/trace';
import { expect, it } from 'vitest';
import { LiveLog } from './live-log.ts';

const place = { thread: 'u1', pod: 'u1', source: 'otlp' } as const;
const started = (span: number): UnstampedEvent => ({
  ...place,
  type: 'spanStarted',
  span,
  point: 'kubelet.podWorkerLoop',
  kind: 'worker',
  title: 'podWorkerLoop',
  attributes: {},
});
const ended = (span: number): UnstampedEvent => ({ ...place, type: 'spanEnded', span, outcome: 'ok' });

it('keeps the times in order, and shows a late span at the time at which it happened', () => {
  const live = new LiveLog();
  live.append(1_000, started(1));
  live.append(9_000, { ...place, type: 'output', level: 'info', message: 'a later event' });
  live.append(2_000, ended(1));
  live.append(3_000, started(2));
  live.append(4_000, ended(2));
  const events = live.log.after(0);
  expect(events.map(({ time }) => time)).toEqual([1_000, 9_000, 9_000, 9_000, 9_000]);
  const fold = new RunFold();
  fold.applyAll(events);
  expect([1, 2].map((id) => [fold.span(id)?.start, fold.span(id)?.end])).toEqual([
    [1_000, 2_000],
    [3_000, 4_000],
  ]);
  expect(fold.pod('u1')?.syncs.map(({ start, end }) => [start, end])).toEqual([
    [1_000, 2_000],
    [3_000, 4_000],
  ]);
});
