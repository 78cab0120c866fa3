import { type Clock, instant } from '@podscope/trace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

const initial = 10_000;
const max = 300_000;

/** Returns a clock that tests set by hand. */
function setClock(): Clock & { at: number } {
  return {
    at: 0,
    now() {
      return instant(this.at);
    },
    schedule() {
      throw new Error('the back-off only reads the clock');
    },
  };
}

describe('Backoff', () => {
  it('doubles from the first value to the last: 10, 20, 40, 80, 160, 300, 300', () => {
    const clock = setClock();
    const backoff = new Backoff(clock, { initial, max });
    expect(Array.from({ length: 7 }, () => backoff.next('a', clock.now()) / 1000)).toEqual([
      10, 20, 40, 80, 160, 300, 300,
    ]);
  });

  it('stays in its bounds, never shrinks during repeated failures, and keeps keys independent', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * max }), { minLength: 1, maxLength: 40 }), (pauses) => {
        const clock = setClock();
        const backoff = new Backoff(clock, { initial, max });
        let last = 0;
        for (const pause of pauses) {
          clock.at += pause;
          const next = backoff.next('a', clock.now());
          expect(next).toBeGreaterThanOrEqual(Math.max(initial, last));
          expect(next).toBeLessThanOrEqual(max);
          last = next;
        }
        expect(backoff.get('b')).toBe(0);
        expect(backoff.isInBackOffSince('b', clock.now())).toBe(false);
      }),
    );
  });

  it('waits exactly as long as the back-off and resets after a quiet period', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * max }), (elapsed) => {
        const clock = setClock();
        const backoff = new Backoff(clock, { initial, max });
        backoff.next('a', clock.now());
        backoff.next('a', clock.now());
        clock.at = elapsed;
        expect(backoff.isInBackOffSince('a', instant(0))).toBe(elapsed < 20_000);
        expect(backoff.next('a', clock.now())).toBe(elapsed > 2 * max ? initial : 40_000);
      }),
    );
  });

  it('ends a wait that lasts exactly as long as the back-off, to the nanosecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (nanoseconds) => {
        const clock = setClock();
        const backoff = new Backoff(clock, { initial, max });
        const failure = instant(nanoseconds / 1e6);
        clock.at = failure;
        backoff.next('a', failure);
        clock.at = (nanoseconds + initial * 1e6) / 1e6;
        expect(backoff.isInBackOffSince('a', failure)).toBe(false);
        expect(backoff.isInBackOffSinceUpdate('a', clock.now())).toBe(false);
        clock.at = (nanoseconds + initial * 1e6 - 1) / 1e6;
        expect(backoff.isInBackOffSince('a', failure)).toBe(true);
      }),
    );
  });

  it('forgets a reset key, and expired keys on gc', () => {
    const clock = setClock();
    const backoff = new Backoff(clock, { initial, max, expireAfter: 600_000 });
    backoff.next('old', clock.now());
    clock.at = 600_000;
    backoff.next('new', clock.now());
    expect(backoff.gc()).toEqual([]);
    clock.at = 600_001;
    expect(backoff.gc()).toEqual(['old']);
    backoff.reset('new');
    expect([...backoff.entries()]).toEqual([]);
  });

  it('ends a wait that a debugger waived, and continues from that back-off after the next failure', () => {
    const clock = setClock();
    const backoff = new Backoff(clock, { initial, max });
    expect(backoff.waive('a')).toBe(false);
    backoff.next('a', clock.now());
    expect(backoff.isInBackOffSince('a', clock.now())).toBe(true);
    expect(backoff.waive('a')).toBe(true);
    expect([
      backoff.isInBackOffSince('a', clock.now()),
      backoff.isInBackOffSinceUpdate('a', clock.now()),
      backoff.get('a'),
    ]).toEqual([false, false, initial]);
    expect(backoff.next('a', clock.now())).toBe(2 * initial);
    expect(backoff.isInBackOffSince('a', clock.now())).toBe(true);
  });

  it('accepts a back-off set by a debugger, and doubles it after the next failure', () => {
    const clock = setClock();
    const backoff = new Backoff(clock, { initial, max });
    backoff.next('a', clock.now());
    backoff.set('a', 2_000);
    expect(backoff.get('a')).toBe(2_000);
    expect(backoff.next('a', clock.now())).toBe(4_000);
  });
});
