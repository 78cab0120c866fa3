import { describe, expect, it } from 'vitest';
import { evenRows, measuredRows } from './row-offsets.ts';

describe.each([
  ['evenRows', evenRows(3, 20)],
  ['measuredRows', measuredRows([20, 20, 20])],
] as const)('%s of three rows of 20 pixels', (_name, rows) => {
  it('sums the heights before a row', () => {
    expect([rows.total, rows.top(0), rows.top(2), rows.top(3)]).toEqual([60, 0, 40, 60]);
  });

  it('finds the row at a position, and the nearest one outside of the list', () => {
    expect([-5, 0, 19, 20, 59, 60, 900].map((position) => rows.at(position))).toEqual([0, 0, 0, 1, 2, 2, 2]);
  });
});

describe('measuredRows', () => {
  it('places the rows below a tall row by its height', () => {
    const rows = measuredRows([20, 100, 20]);
    expect([rows.top(2), rows.total, rows.at(119), rows.at(120)]).toEqual([120, 140, 1, 2]);
  });

  it('has no height without rows', () => {
    expect([measuredRows([]).total, measuredRows([]).at(10)]).toEqual([0, 0]);
  });
});
