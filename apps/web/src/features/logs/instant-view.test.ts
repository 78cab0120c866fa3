import { describe, expect, it } from 'vitest';
import { countUpTo, withMoment } from './instant-view.ts';

const lines = [10, 20, 20, 30].map((time, number) => ({ number, time, stream: 'stdout' as const, text: `${time}` }));

describe('the log at an instant', () => {
  it.each([
    [5, 0],
    [10, 1],
    [20, 3],
    [99, 4],
  ])('by %i, %i lines', (time, count) => {
    expect(countUpTo(lines, time)).toBe(count);
  });

  it('inserts a moment at its time', () => {
    expect(withMoment(lines, { time: 25, text: 'here' }).map(({ text }) => text)).toEqual([
      '10',
      '20',
      '20',
      'here',
      '30',
    ]);
  });
});
