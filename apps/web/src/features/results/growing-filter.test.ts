import { describe, expect, it } from 'vitest';
import { GrowingFilter } from './growing-filter.ts';

describe('GrowingFilter', () => {
  it('tests each row once while the list grows', () => {
    const seen: number[] = [];
    const filter = new GrowingFilter<number>((row) => seen.push(row) > 0 && row % 2 === 0);
    const all = [1, 2, 3];
    expect(filter.of(all)).toEqual([2]);
    all.push(4, 5);
    expect(filter.of(all)).toEqual([2, 4]);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('starts over with another or a shorter list', () => {
    const filter = new GrowingFilter<number>((row) => row > 1);
    const all = [1, 2, 3];
    expect(filter.of(all)).toEqual([2, 3]);
    all.length = 2;
    expect(filter.of(all)).toEqual([2]);
    expect(filter.of([5])).toEqual([5]);
  });
});
