import { describe, expect, it } from 'vitest';
import { formatAge, formatCount, formatCountdown, formatDuration } from './format.ts';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [0.42, '420 µs'],
    [1, '1 ms'],
    [3.25, '3.3 ms'],
    [47.6, '48 ms'],
    [940, '940 ms'],
    [1240, '1.24 s'],
    [12_340, '12.3 s'],
    [185_000, '3 m 05 s'],
    [7_800_000, '2 h 10 m'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatAge', () => {
  it.each([
    [8_000, '8s'],
    [119_000, '119s'],
    [192_000, '3m12s'],
    [45 * 60_000, '45m'],
    [310 * 60_000, '5h10m'],
    [9 * 86_400_000, '9d'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });
});

it('counts down in whole seconds until zero', () => {
  expect([299_001, 7000, 6999, 1, 0, -5].map(formatCountdown)).toEqual([
    '5:00',
    '0:07',
    '0:07',
    '0:01',
    '0:00',
    '0:00',
  ]);
});

it('joins a number and its noun', () => {
  expect([formatCount(1, 'event'), formatCount(12_034, 'event')]).toEqual(['1 event', '12,034 events']);
});
