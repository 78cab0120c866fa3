import { expect, it } from 'vitest';
import { Intake } from './intake.ts';

const limits = { messagesPerSecond: 10, bytesPerSecond: 1_000 };

it('lets a second’s worth of messages come at once, and then one at a time', () => {
  let now = 0;
  const intake = new Intake(() => now, limits);
  for (let count = 0; count < 10; count++) expect(intake.take(1)).toBe(0);
  expect(intake.take(1)).toBe(100);
  now += 100;
  expect(intake.take(1)).toBe(100);
  now += 5_000;
  expect(intake.take(1)).toBe(0);
});

it('counts a large message by its size', () => {
  const intake = new Intake(() => 0, limits);
  expect(intake.take(3_000)).toBe(2_000);
});
