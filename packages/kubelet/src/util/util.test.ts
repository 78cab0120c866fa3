import { addMilliseconds, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { statusEqual } from './status-equal.ts';
import { StrictClock } from './strict-clock.ts';
import { WorkQueue } from './work-queue.ts';

describe('statusEqual', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{ a: [] }, {}, true],
    [{ a: null }, {}, true],
    [{ a: {} }, {}, false],
    [{ a: 0 }, {}, false],
    [{ a: [1] }, { a: [2] }, false],
    ['1', 1, false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(statusEqual(a, b)).toBe(expected);
  });
});

it('StrictClock never returns the same instant twice', () => {
  const clock = new VirtualClock();
  const strict = new StrictClock();
  const readings = Array.from({ length: 1000 }, () => strict.now(clock));
  expect(readings.every((reading, index) => index === 0 || reading > (readings[index - 1] ?? 0))).toBe(true);
  expect((readings.at(-1) ?? 0) - clock.now()).toBeLessThan(2);
});

it('WorkQueue returns each due key once; a later entry of a key replaces an earlier one', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue();
  queue.enqueue(clock, 'a', 1000);
  queue.enqueue(clock, 'b', 500);
  queue.enqueue(clock, 'b', 3000);
  await clock.advance(1000);
  expect(queue.getWork(clock)).toEqual([]);
  await clock.advance(1);
  expect(queue.getWork(clock)).toEqual(['a']);
  expect(queue.getWork(clock)).toEqual([]);
  expect(queue.dueTime('b')).toBe(addMilliseconds(clock.now(), 1999));
});
