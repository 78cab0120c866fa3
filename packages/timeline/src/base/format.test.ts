import { describe, expect, it } from 'vitest';
import { formatClock, formatCountdown, formatDuration, formatExact, formatRelative } from './format.ts';

describe('formatting durations', () => {
  it.each([
    [0, '0 ms'],
    [0.4204, '420 µs'],
    [3.25, '3.3 ms'],
    [5, '5 ms'],
    [999.4, '999 ms'],
    [1240, '1.24 s'],
    [42_000, '42 s'],
    [42_340, '42.3 s'],
    [80_000, '1m 20s'],
    [59_999, '1m 00s'],
    [7_500_000, '2h 05m'],
    [100 * 3_600_000, '4d 04h'],
    [-5, '−5 ms'],
  ])('formats %d ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it('formats exact durations with all their digits', () => {
    expect([12.0034, 1500.6, 80_350, 3_723_004.5].map(formatExact)).toEqual([
      '12.003 ms',
      '1.501 s',
      '1m 20.350 s',
      '1h 02m 03.005 s',
    ]);
  });

  it('rounds a countdown up to whole seconds, as clocks do', () => {
    expect([23_400, 300_000, 0, -20].map(formatCountdown)).toEqual(['24 s', '5m 00s', '0 s', '0 s']);
  });
});

describe('formatting axis labels', () => {
  const at = Date.UTC(2026, 0, 5, 9, 3, 20, 250);

  it('cuts a fraction off, as clocks do, and never carries', () => {
    const at = Date.UTC(2026, 0, 5, 9, 3, 20) + 999.8;
    expect([100, 1].map((step) => formatClock(at, step, 'utc'))).toEqual(['09:03:20.9', '09:03:20.999']);
  });

  it('shows as many digits as the step needs', () => {
    expect([3_600_000, 60_000, 1000, 100, 50, 5, 0.5].map((step) => formatClock(at, step, 'utc'))).toEqual([
      '09:03',
      '09:03',
      '09:03:20',
      '09:03:20.2',
      '09:03:20.25',
      '09:03:20.250',
      '09:03:20.2500',
    ]);
    expect(formatClock(Date.UTC(2026, 0, 5), 3_600_000, 'utc')).toBe('01-05');
  });

  it('formats relative times as durations since the origin', () => {
    expect([
      formatRelative(0, 10),
      formatRelative(20_000, 5000),
      formatRelative(80_000, 20_000),
      formatRelative(3250, 50),
      formatRelative(-500, 100),
    ]).toEqual(['0', '20 s', '1m 20s', '3.25 s', '−500 ms']);
    expect([formatRelative(120_000, 60_000), formatRelative(7_500_000, 300_000), formatRelative(0.25, 0.05)]).toEqual([
      '2 min',
      '2h 05m',
      '0.25 ms',
    ]);
  });
});
