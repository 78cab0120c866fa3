import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeScale } from './time-scale.ts';
import { approach, around, clampViewport, lengthOf, panBy, zoomAround } from './viewport.ts';

const epoch = Date.UTC(2026, 0, 5);
const domain = { start: epoch, end: epoch + 3_600_000 };

describe('timeScale', () => {
  it('maps times to pixels and back', () => {
    const scale = timeScale({ start: epoch, end: epoch + 1000 }, 500);
    expect(scale.x(epoch + 250)).toBe(125);
    expect(scale.time(125)).toBe(epoch + 250);
    expect(scale.msPerPixel).toBe(2);
  });
});

describe('zoomAround', () => {
  it('keeps the anchor in place on the screen', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 1, max: 6, noNaN: true }),
        (share, factor) => {
          const before = { start: epoch + 60_000, end: epoch + 120_000 };
          const anchor = before.start + share * 60_000;
          const after = zoomAround(before, anchor, factor, domain);
          expect((anchor - after.start) / lengthOf(after)).toBeCloseTo(share, 3);
          expect(lengthOf(after)).toBeCloseTo(60_000 / factor, 2);
        },
      ),
    );
  });

  it('stops at the shortest range and at twice the domain', () => {
    expect(lengthOf(zoomAround({ start: epoch, end: epoch + 1 }, epoch, 1e9, domain))).toBeCloseTo(0.02, 3);
    expect(lengthOf(zoomAround({ start: epoch, end: epoch + 1000 }, epoch, 1e-9, domain))).toBe(7_200_000);
  });
});

describe('panBy and clampViewport', () => {
  it('keeps the middle inside the domain', () => {
    const moved = panBy({ start: epoch, end: epoch + 1000 }, -1e9, domain);
    expect((moved.start + moved.end) / 2).toBe(domain.start);
    expect(lengthOf(moved)).toBe(1000);
    expect(panBy(moved, 1e12, domain).end).toBe(domain.end + 500);
  });

  it('returns a viewport that needs no clamping unchanged', () => {
    const viewport = { start: epoch, end: epoch + 1000 };
    expect(clampViewport(viewport, domain)).toBe(viewport);
  });
});

describe('approach', () => {
  it('reaches the target and keeps the anchor on the way', () => {
    const before = { start: epoch, end: epoch + 10_000 };
    const target = zoomAround(before, epoch + 4000, 8, domain);
    let current = before;
    for (let frame = 0; frame < 100 && current !== target; frame++) {
      current = approach(current, target, 16, 1000);
      expect((epoch + 4000 - current.start) / lengthOf(current)).toBeCloseTo(0.4, 2);
    }
    expect(current).toBe(target);
  });
});

describe('around', () => {
  it('adds space on both sides', () => {
    expect(around({ start: 100, end: 200 }, 0.1)).toEqual({ start: 90, end: 210 });
  });
});
