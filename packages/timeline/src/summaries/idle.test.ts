import { describe, expect, it } from 'vitest';
import type { Item, ItemState, Lane } from '../model.ts';
import { IdleFinder } from './idle.ts';

const item = (start: number, end: number | undefined, state: ItemState): Item => ({
  id: `${start}`,
  start,
  end,
  row: 0,
  state,
  label: '',
});
const lane = (items: readonly Item[], settled = 0): Lane => ({
  id: 'l',
  kind: 'container',
  label: 'l',
  rows: 1,
  items,
  markers: [],
  settled,
});
const none: ReadonlySet<number> = new Set();

describe('idle time', () => {
  const items = [item(0, 1_000, 'creating'), item(1_000, 31_000, 'running'), item(31_000, 91_000, 'backoff')];

  it('is the time between activities, including items that only show a lasting state', () => {
    const found = new IdleFinder().find([lane(items)], 0, 95_000, none);
    expect(found.map(({ start, end }) => [start, end])).toEqual([
      [1_400, 30_600],
      [31_400, 90_600],
    ]);
    for (const { start, end, shown } of found) expect(shown).toBeLessThan((end - start) / 4);
  });

  it('excludes the future and unfolded ranges', () => {
    expect(new IdleFinder().find([lane(items)], 0, 60_000, none)).toHaveLength(1);
    expect(new IdleFinder().find([lane(items)], 0, 95_000, new Set([1_400]))).toHaveLength(1);
  });

  it('excludes ranges in which an activity is running', () => {
    expect(new IdleFinder().find([lane([item(0, undefined, 'pulling')])], 0, 95_000, none)).toEqual([]);
  });

  it('excludes ranges in which a settled activity is running', () => {
    const finder = new IdleFinder();
    const calls = [item(0, undefined, 'call')];
    finder.find([lane(calls, 1)], 0, 10_000, none);
    calls.push(item(90_000, 91_000, 'call'));
    expect(finder.find([lane(calls, 1)], 0, 95_000, none)).toEqual([]);
  });

  it('is the same for a lane that grew as for one that is read at once', () => {
    const finder = new IdleFinder();
    finder.find([lane(items.slice(0, 2), 1)], 0, 95_000, none);
    expect(finder.find([lane(items, 3)], 0, 95_000, none)).toEqual(
      new IdleFinder().find([lane(items)], 0, 95_000, none),
    );
  });
});
