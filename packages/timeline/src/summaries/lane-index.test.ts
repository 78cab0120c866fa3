import { describe, expect, it } from 'vitest';
import type { Item, Lane, Marker } from '../model.ts';
import { LaneIndex } from './lane-index.ts';
import type { MarkerHeap } from './marker-row.ts';

const item = (id: string, start: number, end: number | undefined, row = 0): Item => ({
  id,
  start,
  end,
  row,
  state: 'call',
  label: id,
});
const lane = (items: readonly Item[], settled: number, markers: readonly Marker[] = []): Lane => ({
  id: 'l',
  kind: 'worker',
  label: 'l',
  rows: 2,
  items,
  markers,
  settled,
});
const marker = (id: string, time: number, kind: Marker['kind'] = 'event'): Marker => ({ id, time, kind, label: id });
const ids = (index: LaneIndex): string[][] => index.rows.map(({ items }) => items.map(({ id }) => id));

describe('LaneIndex', () => {
  it('splits items by row and replaces those that are not settled', () => {
    const index = new LaneIndex(lane([item('a', 0, 10), item('b', 2, 4, 1), item('c', 20, undefined)], 2));
    expect(ids(index)).toEqual([['a', 'c'], ['b']]);
    index.update(lane([item('a', 0, 10), item('b', 2, 4, 1), item('c', 20, 30), item('d', 40, undefined)], 3));
    expect(ids(index)).toEqual([['a', 'c', 'd'], ['b']]);
    expect(index.rows[0]?.items[1]?.end).toBe(30);
  });

  it('reads the settled items again when they are another list', () => {
    const index = new LaneIndex(lane([item('a', 0, 10), item('c', 20, 30)], 2));
    index.update(lane([item('a', 0, 10), item('b', 12, 15), item('c', 20, 30)], 3));
    expect(ids(index)).toEqual([['a', 'b', 'c'], []]);
  });

  it('starts again when the lane was replaced', () => {
    const index = new LaneIndex(lane([item('a', 0, 10), item('c', 20, 30)], 2));
    index.update(lane([item('x', 5, 6, 1)], 0));
    expect(ids(index)).toEqual([[], ['x']]);
  });

  it('merges markers that are close and shows the first failure among them', () => {
    const index = new LaneIndex(
      lane([], 0, [marker('a', 0), marker('b', 3, 'warning'), marker('c', 5), marker('d', 50), marker('e', 900)]),
    );
    const heaps: MarkerHeap[] = [];
    index.markerRows[0]?.visit(0, 100, 7, (heap) => heaps.push(heap));
    expect(heaps.map(({ marker: { id }, count, troubles, time }) => [id, count, troubles, time])).toEqual([
      ['b', 3, 1, 0],
      ['d', 1, 0, 50],
    ]);
  });
});
