import { describe, expect, it } from 'vitest';
import type { Item, Lane, TimelineModel } from '../model.ts';
import { acrossLanes, findPlace, firstPlace, idOf, neighbour, type Place, renewPlace } from './navigation.ts';

const item = (id: string, start: number, end: number | undefined, row = 0): Item => ({
  id,
  start,
  end,
  row,
  state: 'call',
  label: id,
});
const lane = (id: string, items: readonly Item[], rows = 1): Lane => ({
  id,
  kind: 'container',
  label: id,
  rows,
  items,
  markers: [],
  settled: 0,
});
const model: TimelineModel = {
  lanes: [
    lane('a', [item('a1', 0, 10), item('a1.1', 2, 4, 1), item('a2', 20, 30), item('a3', 40, undefined)], 2),
    lane('empty', []),
    lane('b', [item('b1', 5, 6), item('b2', 26, 28)]),
    { ...lane('events', []), kind: 'events', markers: [{ id: 'e1', time: 27, kind: 'event', label: 'e1' }] },
  ],
  origin: 0,
  end: 50,
  live: true,
};
const place = (id: string): Place => {
  const found = findPlace(model, id);
  if (!found) throw new Error(id);
  return found;
};

describe('keyboard navigation', () => {
  it('begins at the last item in view', () => {
    expect(idOf(firstPlace(model, { start: 0, end: 35 }, 50) ?? place('b1'))).toBe('a2');
  });

  it('moves along the lane, or along the row', () => {
    expect(idOf(neighbour(place('a1'), 1, false))).toBe('a1.1');
    expect(idOf(neighbour(place('a1'), 1, true))).toBe('a2');
    expect(idOf(neighbour(place('a1'), -1, true))).toBe('a1');
    expect(idOf(neighbour(place('a3'), 1, true))).toBe('a3');
  });

  it('moves to what is at the same time in the next row or lane', () => {
    expect(idOf(acrossLanes(model, place('a2'), 1, 50))).toBe('a1.1');
    expect(idOf(acrossLanes(model, place('a1.1'), 1, 50))).toBe('b1');
    expect(idOf(acrossLanes(model, place('b2'), 1, 50))).toBe('e1');
    expect(idOf(acrossLanes(model, place('e1'), 1, 50))).toBe('e1');
    expect(idOf(acrossLanes(model, place('b2'), -1, 50))).toBe('a1.1');
  });

  it('finds the same item in the next model', () => {
    const next = {
      ...model,
      lanes: model.lanes.map((entry) =>
        entry.id === 'a' ? { ...entry, items: entry.items.map((i) => ({ ...i, label: 'new' })) } : entry,
      ),
    };
    expect(renewPlace(next, place('a2'))?.item?.label).toBe('new');
    expect(renewPlace(next, place('b2'))?.item).toBe(place('b2').item);
    expect(renewPlace({ ...model, lanes: [] }, place('a2'))).toBeUndefined();
  });
});
