import { describe, expect, it } from 'vitest';
import type { Lane } from '../model.ts';
import { laneAt, layOut, rowAt } from './layout.ts';

const lane = (id: string, rows: number, group?: string): Lane => ({
  id,
  kind: 'container',
  label: id,
  rows,
  group,
  items: [],
  markers: [],
  settled: 0,
});

describe('layOut', () => {
  it('stacks lanes without a gap and rows without overlap', () => {
    const { boxes, height } = layOut([lane('a', 1), lane('b', 3), lane('c', 2)], 1);
    for (const [at, box] of boxes.entries()) {
      expect(box.y).toBe(at === 0 ? 0 : (boxes[at - 1]?.y ?? 0) + (boxes[at - 1]?.height ?? 0));
      for (const [row, { y }] of box.rows.entries())
        expect(y).toBeGreaterThanOrEqual(
          row === 0 ? box.y : (box.rows[row - 1]?.y ?? 0) + (box.rows[row - 1]?.height ?? 0),
        );
    }
    expect((boxes.at(-1)?.y ?? 0) + (boxes.at(-1)?.height ?? 0)).toBe(height);
  });

  it('shows the name of a group once, above its first lane', () => {
    expect(
      layOut([lane('a', 1, 'web'), lane('b', 1, 'web'), lane('c', 1, 'db')], 1).boxes.map(({ heading }) => heading > 0),
    ).toEqual([true, false, true]);
  });

  it('grows with the scale', () => {
    expect(layOut([lane('a', 2)], 2).height).toBe(layOut([lane('a', 2)], 1).height * 2);
  });

  it('returns the lane and the nearest row at a height', () => {
    const layout = layOut([lane('a', 1), lane('b', 2)], 1);
    const box = laneAt(layout, (layout.boxes[1]?.y ?? 0) + 1);
    expect(box?.lane.id).toBe('b');
    expect(box && [rowAt(box, box.y), rowAt(box, box.y + box.height - 1)]).toEqual([0, 1]);
    expect(laneAt(layout, -1)).toBeUndefined();
  });
});
