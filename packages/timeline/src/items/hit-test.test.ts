import { describe, expect, it } from 'vitest';
import type { Item, Lane, Marker } from '../model.ts';
import { timeScale } from '../scale/time-scale.ts';
import { LaneIndex } from '../summaries/lane-index.ts';
import { layOut } from '../view/layout.ts';
import { hitTest } from './hit-test.ts';

const item = (id: string, start: number, end: number | undefined, row = 0, failed = false): Item => ({
  id,
  start,
  end,
  row,
  state: 'running',
  label: id,
  failed,
});
const exit: Marker = { id: 'exit', time: 300, kind: 'failure', badge: '1', label: 'exit 1' };
const lanes: readonly Lane[] = [
  {
    id: 'app',
    kind: 'container',
    label: 'app',
    rows: 2,
    items: [item('run', 100, 300), item('hook', 120, 160, 1), item('open', 400, undefined)],
    markers: [exit],
    settled: 0,
  },
  {
    id: 'small',
    kind: 'worker',
    label: 'small',
    rows: 1,
    items: Array.from({ length: 10 }, (_, at) => item(`s${at}`, 500 + at * 0.5, 500.2 + at * 0.5, 0, at === 4)),
    markers: [],
    settled: 0,
  },
  {
    id: 'events',
    kind: 'events',
    label: 'events',
    rows: 1,
    items: [],
    markers: [{ id: 'e', time: 700, kind: 'event', label: 'e' }],
    settled: 0,
  },
];
const layout = layOut(lanes, 1);
const indexes = new Map(lanes.map((lane) => [lane.id, new LaneIndex(lane)]));
// One pixel is one millisecond.
const scale = timeScale({ start: 0, end: 1000 }, 1000);

/** Returns the id at `x` in the middle of a row. */
function at(lane: number, row: number, x: number) {
  const box = layout.boxes[lane]?.rows[row];
  const hit = box && hitTest(layout, indexes, scale, x, box.y + box.height / 2, 900);
  return hit?.marker?.id ?? hit?.item?.id;
}

describe('hitTest', () => {
  it('finds the item of the row', () => {
    expect([at(0, 0, 150), at(0, 1, 150), at(0, 0, 50), at(0, 1, 250)]).toEqual(['run', 'hook', undefined, undefined]);
  });

  it('finds an open item before the current time, and not after it', () => {
    expect([at(0, 0, 899), at(0, 0, 920)]).toEqual(['open', undefined]);
  });

  it('finds small items from a few pixels away and prefers a failed one', () => {
    expect([at(1, 0, 499), at(1, 0, 502), at(1, 0, 480)]).toEqual(['s4', 's4', undefined]);
    const [box] = layout.boxes[1]?.rows ?? [];
    expect(hitTest(layout, indexes, scale, 502, (box?.y ?? 0) + 3, 900)?.count).toBe(10);
  });

  it('finds an exit at its badge left of its time, and the bar beside the badge', () => {
    expect([at(0, 0, 290), at(0, 0, 301), at(0, 0, 270)]).toEqual(['exit', 'exit', 'run']);
  });

  it('finds an event around its time', () => {
    expect([at(2, 0, 693), at(2, 0, 708), at(2, 0, 720)]).toEqual(['e', 'e', undefined]);
  });

  it('returns undefined below the lanes', () => {
    expect(hitTest(layout, indexes, scale, 10, layout.height + 5, 900)).toBeUndefined();
  });
});
