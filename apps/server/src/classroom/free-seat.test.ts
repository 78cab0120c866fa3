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

it('is that of a learner who left without an answer, at any address', () => {
  const seats = [seat('a', 'x', { isConnected: false, isActive: true }), seat('b', 'y', { isConnected: false })];
  expect(freeSeat(seats, 'y')).toBe('b');
});

it('is the last one without a name and an answer at the address with the most seats', () => {
  const crowd = [seat('a', 'x'), seat('b', 'x'), seat('c', 'x', { hasName: true }), seat('d', 'x', { isActive: true })];
  expect(freeSeat([...crowd, seat('e', 'y')], 'y')).toBe('b');
  expect(freeSeat([...crowd, seat('e', 'y')], 'z')).toBe('b');
});

it('is none for a newcomer from the address with the most seats, or with an equal share', () => {
  expect(freeSeat([seat('a', 'x'), seat('b', 'x')], 'x')).toBeUndefined();
  expect(freeSeat([seat('a', 'x'), seat('b', 'x'), seat('c', 'y')], 'y')).toBeUndefined();
});

it('is none if all learners of the address have a name or an answer', () => {
  const seats = [
    seat('a', 'x', { hasName: true }),
    seat('b', 'x', { isActive: true }),
    seat('c', 'x', { hasName: true }),
  ];
  expect(freeSeat(seats, 'y')).toBeUndefined();
});
