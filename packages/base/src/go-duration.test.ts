import { describe, expect, it } from 'vitest';
import { formatGoDuration, goDurationPattern, parseGoDuration } from './go-duration.ts';

describe('parseGoDuration', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['0s', 0],
    ['250ms', 250],
    ['1.5s', 1500],
    ['.5s', 500],
    ['1.s', 1000],
    ['90s', 90_000],
    ['1m30s', 90_000],
    ['1h15m30.918s', 4_530_918],
    ['100us', 0.1],
    ['100µs', 0.1],
    ['100μs', 0.1],
    ['5ns', 0.000_005],
    ['-2h', -7_200_000],
    ['+3s', 3000],
  ])('reads %s as %d ms', (text, expected) => expect(parseGoDuration(text)).toBeCloseTo(expected, 9));

  it.each(['', '5', 's', '1d', '1 s', ' 1s', '1s ', '1s-2s', '--1s', 'infinity', '1m30', '.s', '1e3s'])(
    'returns undefined for %j',
    (text) => expect(parseGoDuration(text)).toBeUndefined(),
  );
});

describe('formatGoDuration', () => {
  it.each<[number, string]>([
    [0, '0s'],
    [0.0004, '0s'],
    [0.25, '250µs'],
    [300, '300ms'],
    [1500, '1.5s'],
    [10_000, '10s'],
    [80_000, '1m20s'],
    [300_000, '5m0s'],
    [3_600_000, '1h0m0s'],
    [-1500, '-1.5s'],
  ])('writes %d ms as %s', (ms, expected) => expect(formatGoDuration(ms)).toBe(expected));

  it('writes what parseGoDuration reads back', () => {
    for (const ms of [1, 999, 1000.5, 61_001, 86_400_000]) expect(parseGoDuration(formatGoDuration(ms))).toBe(ms);
  });
});

it('goDurationPattern accepts a whole duration and rejects a negative one', () => {
  const pattern = new RegExp(`^(?:${goDurationPattern})$`);
  expect(['1m30s', '1.5s', '0', '-1s', '5'].map((text) => pattern.test(text))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
