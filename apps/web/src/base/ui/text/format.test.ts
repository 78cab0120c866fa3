import { describe, expect, it } from 'vitest';
import { formatAge, formatCount, formatCountdown } from './format.ts';

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
