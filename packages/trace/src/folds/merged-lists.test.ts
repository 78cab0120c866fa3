/** Tests the list that is merged of growing lists. */
import { describe, expect, it, vi } from 'vitest';
import { MergedLists } from './merged-lists.ts';

interface Source {
  readonly id: string;
  readonly members: readonly string[];
}

/** A member is its place and a name: `3b`. */
const list = (id: string, ...members: readonly string[]): Source => ({ id, members });

function merging() {
  const rowOf = vi.fn<(member: string, source: Source) => string | undefined>((member, { id }) =>
    member.endsWith('-') ? undefined : `${member} of ${id}`,
  );
  const merged = new MergedLists<Source, string, string>({
    keyOf: ({ id }) => id,
    membersOf: ({ members }) => members,
    rowOf,
    placeOf: (row) => Number.parseInt(row, 10),
  });
  return { rowOf, merged };
}

describe('MergedLists', () => {
  it('orders the members of all lists, and at one place by list, without those that have no row', () => {
    const { merged } = merging();
    expect(merged.of([list('x', '1a', '3b', '4-'), list('y', '2c', '3d')])).toEqual([
      '1a of x',
      '2c of y',
      '3b of x',
      '3d of y',
    ]);
  });

  it('reads only new members, and returns the same array while they belong behind the known ones', () => {
    const { rowOf, merged } = merging();
    const before = merged.of([list('x', '1a'), list('y', '2-')]);
    rowOf.mockClear();
    const after = merged.of([list('x', '1a', '3b'), list('y', '2-'), list('z', '3c')]);
    expect(after).toBe(before);
    expect(after).toEqual(['1a of x', '3b of x', '3c of z']);
    expect(rowOf).toHaveBeenCalledTimes(2);
  });

  it('returns another array when a new member belongs before a known one', () => {
    const { rowOf, merged } = merging();
    const before = merged.of([list('x', '1a', '5b')]);
    rowOf.mockClear();
    const after = merged.of([list('x', '1a', '5b', '3c')]);
    expect(after).not.toBe(before);
    expect(after).toEqual(['1a of x', '3c of x', '5b of x']);
    expect(rowOf).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['is missing', [list('y', '2c')], ['2c of y']],
    ['is shorter', [list('x', '1a'), list('y', '2c')], ['1a of x', '2c of y']],
    ['has another last member', [list('x', '1a', '3e'), list('y', '2c')], ['1a of x', '2c of y', '3e of x']],
  ])('reads everything again when a list %s', (_, sources, rows) => {
    const { merged } = merging();
    const before = merged.of([list('x', '1a', '3b'), list('y', '2c')]);
    const after = merged.of(sources);
    expect(after).not.toBe(before);
    expect(after).toEqual(rows);
  });
});
