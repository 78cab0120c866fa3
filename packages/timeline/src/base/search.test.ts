import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIndex } from './search.ts';

describe('firstIndex', () => {
  it('returns the same index as a linear scan', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: -1, max: 51 }), (values, limit) => {
        const sorted = values.toSorted((a, b) => a - b);
        const scanned = sorted.findIndex((value) => value >= limit);
        expect(firstIndex(sorted.length, (index) => (sorted[index] ?? 0) >= limit)).toBe(
          scanned < 0 ? sorted.length : scanned,
        );
      }),
    );
  });
});
