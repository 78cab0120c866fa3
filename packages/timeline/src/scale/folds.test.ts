import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFolds, TimeFolds } from './folds.ts';

const folds = new TimeFolds([
  { start: 100, end: 200, shown: 10 },
  { start: 300, end: 1300, shown: 50 },
]);

describe('folds', () => {
  it.each([
    [50, 50],
    [100, 100],
    [150, 105],
    [200, 110],
    [250, 160],
    [300, 210],
    [800, 235],
    [1300, 260],
    [1400, 360],
  ])('maps %d to %d', (time, place) => {
    expect(folds.shown(time)).toBeCloseTo(place);
    expect(folds.real(place)).toBeCloseTo(time);
  });

  it('maps times to places and back, in order', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2000, noNaN: true }),
        fc.double({ min: 0, max: 2000, noNaN: true }),
        (a, b) => {
          expect(folds.real(folds.shown(a))).toBeCloseTo(a, 6);
          expect(folds.shown(Math.min(a, b))).toBeLessThanOrEqual(folds.shown(Math.max(a, b)));
        },
      ),
    );
    expect(noFolds.shown(7)).toBe(7);
  });

  it('returns the ranges between folds', () => {
    expect(folds.within({ start: 150, end: 310 })).toHaveLength(2);
    expect(folds.unfolded({ start: 150, end: 1400 })).toEqual([
      { start: 200, end: 300 },
      { start: 1300, end: 1400 },
    ]);
  });
});
