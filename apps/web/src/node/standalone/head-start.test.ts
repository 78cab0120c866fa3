/** Tests how much virtual time passes at the start of a run in the page. */
import { expect, it } from 'vitest';
import { headStart } from './head-start.ts';

it('lets the loading time pass at once for a run without options of time', () => {
  expect(headStart({ scenario: 'one-container' }, 640)).toBe(640);
});

it('makes up for at most one second, so that a slow connection does not hide the start', () => {
  expect(headStart({}, 7_300)).toBe(1_000);
});

it('starts at the first instant when the clock of the browser was set back while the page loaded', () => {
  expect(headStart({}, -5_000)).toBe(0);
});

it('starts a paused run, and a run with its own speed, at the first instant', () => {
  expect(headStart({ paused: true }, 640)).toBe(0);
  expect(headStart({ speed: 1 }, 640)).toBe(0);
});

it('lets only the given time pass for a run with the option time', () => {
  expect(headStart({ time: 2, speed: 4 }, 640)).toBe(2_000);
});
