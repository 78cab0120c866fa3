import { describe, expect, it } from 'vitest';
import { minimapPartAt } from '../draw/minimap.ts';
import { timeScale } from '../scale/time-scale.ts';
import { timelineKeys } from './keys.ts';
import { dragged } from './minimap-drag.ts';

describe('the minimap', () => {
  const window = { start: 200, end: 400 };

  it('distinguishes the window, its handles and the rest', () => {
    const scale = timeScale({ start: 0, end: 1000 }, 1000);
    expect([10, 197, 300, 404, 700].map((x) => minimapPartAt(scale, window, x))).toEqual([
      'outside',
      'start',
      'window',
      'end',
      'outside',
    ]);
    // In a narrow window the handles are narrower, so that the window itself can still be dragged.
    expect(minimapPartAt(timeScale({ start: 0, end: 1000 }, 60), window, 18)).toBe('window');
  });

  it('moves the window or one of its edges and never inverts it', () => {
    expect(dragged('window', window, 300, 350, 10)).toEqual({ start: 250, end: 450 });
    expect(dragged('start', window, 200, 100, 10)).toEqual({ start: 100, end: 400 });
    expect(dragged('start', window, 200, 900, 10)).toEqual({ start: 390, end: 400 });
    expect(dragged('end', window, 400, 0, 10)).toEqual({ start: 200, end: 210 });
  });
});

describe('the keys', () => {
  it('are each assigned to one action', () => {
    const keys = timelineKeys.flatMap((entry) => entry.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
