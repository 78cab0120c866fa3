import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundStep, ticks } from './ticks.ts';

describe('ticks', () => {
  it('rounds up to the next round step', () => {
    expect([0.0004, 0.3, 7, 900, 1100, 12_000, 61_000, 4_000_000, 1e12].map(roundStep)).toEqual([
      0.001,
      0.5,
      10,
      1000,
      2000,
      15_000,
      120_000,
      7_200_000,
      365 * 86_400_000,
    ]);
  });

  it('places all ticks in view at multiples of the step from the origin', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.integer({ min: 100, max: 10_000_000 }),
        (offset, length) => {
          const origin = 1_767_600_000_000;
          const view = { start: origin + offset, end: origin + offset + length };
          const { step, times } = ticks(view, length / 10, origin);
          expect(times.length).toBeLessThanOrEqual(11);
          for (const [at, time] of times.entries()) {
            expect((time - origin) % step === 0).toBe(true);
            expect(time >= view.start && time <= view.end).toBe(true);
            expect(time - (times[at - 1] ?? time - step)).toBe(step);
          }
          expect((times[0] ?? view.end + step) - step).toBeLessThan(view.start);
        },
      ),
    );
  });
});
