import { instant, type TraceEvent } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../model.ts';
import { claimHolds, rightOption } from './claim.ts';

const begin = instant(1_000_000);
const backOff = (seconds: number, at: number): TraceEvent => ({
  seq: 1,
  time: instant(begin + at * 1_000),
  thread: 'worker',
  type: 'backOff',
  kind: 'container',
  key: 'key',
  container: 'app',
  state: 'armed',
  since: begin,
  until: begin,
  seconds,
});
const run = { begin, events: [backOff(10, 2), backOff(20, 15), backOff(40, 45)] };

describe('a claim', () => {
  it.each<[string, Claim, boolean]>([
    ['a matching event', { happens: { type: 'backOff', seconds: 20 } }, true],
    ['no matching event', { happens: { type: 'backOff', seconds: 80 } }, false],
    ['another event type', { happens: { type: 'podStatus' } }, false],
    ['an event that never occurs', { never: { type: 'backOff', seconds: 80 } }, true],
    ['an exact count', { happens: { type: 'backOff' }, times: 3 }, true],
    ['a maximum count', { happens: { type: 'backOff' }, times: { max: 2 } }, false],
    ['a time range with a match', { happens: { type: 'backOff', seconds: 20 }, within: [10, 20] }, true],
    ['a time range without a match', { happens: { type: 'backOff', seconds: 20 }, within: [20, 30] }, false],
    ['part of a text', { happens: { type: 'backOff', container: '~ap' } }, true],
    ['a text that is not contained', { happens: { type: 'backOff', container: '~web' } }, false],
  ])('supports %s', (_, claim, holds) => {
    expect(claimHolds(claim, run)).toBe(holds);
  });
});

describe('the right option', () => {
  const ten: Claim = { happens: { type: 'backOff', seconds: 10 } };
  const eighty: Claim = { happens: { type: 'backOff', seconds: 80 } };

  it('is the option whose claim is true', () => {
    expect(rightOption({ options: [eighty, ten] }, run)).toBe(1);
  });

  it('is undefined if no claim or more than one is true', () => {
    expect(rightOption({ options: [eighty, eighty] }, run)).toBeUndefined();
    expect(rightOption({ options: [ten, ten] }, run)).toBeUndefined();
    expect(rightOption({}, run)).toBeUndefined();
  });
});
