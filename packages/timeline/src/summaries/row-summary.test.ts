import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../model.ts';
import { RowSummary } from './row-summary.ts';

const item = (index: number, start: number, end: number | undefined, failed = false): Item => ({
  id: `i${index}`,
  start,
  end,
  row: 0,
  state: 'call',
  label: '',
  failed,
});

/** Consecutive items: the gap before each and its length. */
const row = fc
  .array(
    fc.record({ gap: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 0, max: 60 }), failed: fc.boolean() }),
    { minLength: 1, maxLength: 200 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ gap, length, failed }, index) => {
      const start = at + gap;
      at = start + length;
      return item(index, start, at, failed);
    });
  });

const summaryOf = (items: readonly Item[]): RowSummary => {
  const summary = new RowSummary();
  for (const entry of items) summary.push(entry);
  return summary;
};

interface Seen {
  readonly first: number;
  readonly last: number;
  readonly failed: boolean;
  readonly isGroup: boolean;
}

function visit(summary: RowSummary, from: number, to: number, least: number, now = 1e9): Seen[] {
  const seen: Seen[] = [];
  summary.visit(from, to, least, now, {
    item: (index) =>
      seen.push({ first: index, last: index, failed: summary.items[index]?.failed === true, isGroup: false }),
    group: (first, last, _, failed) => seen.push({ first, last, failed, isGroup: true }),
  });
  return seen;
}

describe('RowSummary', () => {
  it('visits every item in view exactly once and no item out of view', () => {
    fc.assert(
      fc.property(
        row,
        fc.integer({ min: 0, max: 4000 }),
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 0, max: 300 }),
        (items, from, length, least) => {
          const to = from + length;
          const seen = visit(summaryOf(items), from, to, least);
          const shown = seen.flatMap(({ first, last }) =>
            Array.from({ length: last - first + 1 }, (_, at) => first + at),
          );
          expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b));
          const missing = items.flatMap(({ start, end }, index) =>
            start <= to && (end ?? 0) >= from && !shown.includes(index) ? index : [],
          );
          expect(missing).toEqual([]);
          for (const { first, last, isGroup } of seen) {
            const start = items[first]?.start ?? 0;
            const end = items[last]?.end ?? 0;
            expect(start <= to && end >= from).toBe(true);
            expect(end - start < least).toBe(isGroup);
          }
        },
      ),
    );
  });

  it('never hides a failure', () => {
    fc.assert(
      fc.property(row, fc.integer({ min: 0, max: 5000 }), (items, least) => {
        const seen = visit(summaryOf(items), 0, 1e9, least);
        for (const { first, last, failed } of seen)
          expect(failed).toBe(items.slice(first, last + 1).some((entry) => entry.failed));
      }),
    );
  });

  it('is the same after truncating and appending as when built at once', () => {
    fc.assert(
      fc.property(row, fc.nat({ max: 200 }), fc.integer({ min: 0, max: 300 }), (items, cut, least) => {
        const kept = Math.min(cut, items.length);
        const summary = summaryOf(items.map((entry) => ({ ...entry, end: undefined, failed: true })));
        // The kept items must not depend on items that were truncated.
        const settled = summaryOf([
          ...items.slice(0, kept),
          ...items.slice(kept).map((entry) => ({ ...entry, end: undefined, failed: true })),
        ]);
        settled.truncate(kept);
        summary.truncate(0);
        for (const entry of items.slice(kept)) settled.push(entry);
        for (const entry of items) summary.push(entry);
        const expected = visit(summaryOf(items), 0, 1e9, least);
        expect(visit(settled, 0, 1e9, least)).toEqual(expected);
        expect(visit(summary, 0, 1e9, least)).toEqual(expected);
      }),
    );
  });

  it('visits a number of nodes that depends on pixels, not on items', () => {
    const summary = summaryOf(Array.from({ length: 100_000 }, (_, index) => item(index, index * 10, index * 10 + 8)));
    expect(visit(summary, 0, 1_000_000, 4 * 1000).length).toBeLessThan(1000);
  });

  it('extends an open item to the current time', () => {
    const summary = summaryOf([item(0, 0, 10), item(1, 20, undefined)]);
    expect(visit(summary, 500, 600, 1, 400)).toEqual([]);
    expect(visit(summary, 500, 600, 1, 550)).toEqual([{ first: 1, last: 1, failed: false, isGroup: false }]);
  });

  it('returns the last item that has started', () => {
    const summary = summaryOf([item(0, 10, 20), item(1, 30, 40)]);
    expect([5, 10, 29, 30, 99].map((time) => summary.lastStartedAt(time))).toEqual([-1, 0, 0, 1, 1]);
  });
});
