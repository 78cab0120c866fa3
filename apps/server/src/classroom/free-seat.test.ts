import { expect, it } from 'vitest';
import { freeSeat, type Seat } from './free-seat.ts';

const seat = (id: string, address: string, changed: Partial<Seat> = {}): Seat => ({
  id,
  address,
  isConnected: true,
  hasName: false,
  isActive: false,
  ...changed,
});

it('returns the learner who left without an answer, at any address', () => {
  const seats = [seat('a', 'x', { isConnected: false, isActive: true }), seat('b', 'y', { isConnected: false })];
  expect(freeSeat(seats, 'y')).toBe('b');
});

it('returns the last learner without a name and an answer at the address with the most seats', () => {
  const crowd = [seat('a', 'x'), seat('b', 'x'), seat('c', 'x', { hasName: true }), seat('d', 'x', { isActive: true })];
  expect(freeSeat([...crowd, seat('e', 'y')], 'y')).toBe('b');
  expect(freeSeat([...crowd, seat('e', 'y')], 'z')).toBe('b');
});

it('returns undefined for a newcomer from an address with the most seats or an equal number', () => {
  expect(freeSeat([seat('a', 'x'), seat('b', 'x')], 'x')).toBeUndefined();
  expect(freeSeat([seat('a', 'x'), seat('b', 'x'), seat('c', 'y')], 'y')).toBeUndefined();
});

it('returns undefined if all learners of the address have a name or an answer', () => {
  const seats = [
    seat('a', 'x', { hasName: true }),
    seat('b', 'x', { isActive: true }),
    seat('c', 'x', { hasName: true }),
  ];
  expect(freeSeat(seats, 'y')).toBeUndefined();
});
