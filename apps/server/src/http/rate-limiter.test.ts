import { expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

const limits = { messagesPerSecond: 10, bytesPerSecond: 1_000 };

it('admits the messages of one second at once, and then one at a time', () => {
  let now = 0;
  const limiter = new RateLimiter(() => now, limits);
  for (let count = 0; count < 10; count++) expect(limiter.take(1)).toBe(0);
  expect(limiter.take(1)).toBe(100);
  now += 100;
  expect(limiter.take(1)).toBe(100);
  now += 5_000;
  expect(limiter.take(1)).toBe(0);
});

it('counts a large message by its size', () => {
  const limiter = new RateLimiter(() => 0, limits);
  expect(limiter.take(3_000)).toBe(2_000);
});
