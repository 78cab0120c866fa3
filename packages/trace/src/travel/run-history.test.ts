import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TraceEvent } from '../events/event.ts';
import { RunFold } from '../folds/run-fold.ts';
import { crashLoop, crashLoopPod } from '../folds/testing/index.ts';
import { longRun } from '../folds/testing/long-run.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { RunHistory } from './run-history.ts';

const replayed = (events: readonly TraceEvent[], count: number): RunFold => {
  const fold = new RunFold();
  fold.applyAll(events.slice(0, count));
  return fold;
};

/** Returns all data in a fold, including values that no view reads. */
const everything = (fold: RunFold): unknown => {
  const { state, ...rest } = fold.snapshot();
  const spans = state.spans.toJSON();
  const located = spans.flatMap(({ id }) => [state.sync(id), state.activity(id)?.activity]);
  const attempts = containerIds.map((id) => state.attempt(id)?.attempt);
  return { ...rest, pods: [...state.pods.values()], spans, located, attempts };
};

const containerIds = ['app', 'init', 'proxy', 'POD'].flatMap((name) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((attempt) => `${name}-${attempt}`),
);

describe('RunHistory', () => {
  it('returns the same state for any event as a replay up to it', () => {
    fc.assert(
      fc.property(
        randomRun(),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(130), { minLength: 1, maxLength: 8 }),
        (events, interval, places) => {
          const history = new RunHistory(events, { keyframeInterval: interval });
          const moving = new RunFold();
          for (const place of places) {
            const expected = everything(replayed(events, place));
            expect(everything(history.seek(place))).toEqual(expected);
            // A fold that is already at another place in the run must give the same state, whether it moves back or
            // ahead.
            expect(everything(history.seek(place, moving))).toEqual(expected);
          }
          expect(everything(history.newest)).toEqual(everything(replayed(events, events.length)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is not changed by a fold that continues from it', () => {
    fc.assert(
      fc.property(randomRun(), randomRun(40), fc.nat(100), (events, others, place) => {
        const history = new RunHistory(events, { keyframeInterval: 4 });
        const before = structuredClone(everything(replayed(events, place)));
        const fold = history.seek(place);
        fold.applyAll(others.map((event) => ({ ...event, seq: event.seq + place })));
        expect(everything(history.seek(place))).toEqual(before);
      }),
      { numRuns: 100 },
    );
  });

  it('shares the records that later events do not change with its keyframes', () => {
    const { events } = crashLoop(3);
    const history = new RunHistory(events.slice(0, -20), { keyframeInterval: 1_000 });
    const { state } = history.newest.snapshot();
    const before = state.pods.get(crashLoopPod.metadata.uid);
    history.append(events.slice(-20));
    const after = history.newest.pod(crashLoopPod.metadata.uid);
    expect(after).not.toBe(before);
    expect(after?.syncs[0]).toBe(before?.syncs[0]);
    expect(after?.sandbox.attempts[0]).toBe(before?.sandbox.attempts[0]);
  });

  it('grows with a live run, and seeks back in it', () => {
    const { events } = crashLoop(3);
    const history = new RunHistory([], { keyframeInterval: 16 });
    for (const event of events) history.append([event]);
    expect(everything(history.seek(100))).toEqual(everything(replayed(events, 100)));
    history.append(events.slice(0, 50));
    expect(history.lastSeq).toBe(events.length);
  });

  it('rejects gaps', () => {
    const { events } = crashLoop(1);
    expect(() => new RunHistory([...events.slice(0, 5), ...events.slice(7)])).toThrow('events 6 to 7 are missing');
  });

  it('begins at the first event of a recording', () => {
    const { events } = crashLoop(2);
    const history = new RunHistory(events.slice(60), { keyframeInterval: 8, pods: [crashLoopPod] });
    expect([history.firstSeq, history.lastSeq]).toEqual([61, events.length]);
    expect(history.seek(0).pods()).toMatchObject([{ name: 'web-0', syncs: [] }]);
    expect(history.seek(61).lastSeq).toBe(61);
    expect(history.seek(1_000_000).lastSeq).toBe(events.length);
    expect(history.at(61)).toBe(events[60]);
    expect(history.range(70, 72).map(({ seq }) => seq)).toEqual([70, 71, 72]);
    expect(history.range(1, 62).map(({ seq }) => seq)).toEqual([61, 62]);
  });

  it('finds the event of an instant', () => {
    const { events } = crashLoop(2);
    const history = new RunHistory(events);
    expect(history.seqAt((events[0]?.time ?? 0) - 1)).toBe(0);
    expect(history.seqAt(Number.POSITIVE_INFINITY)).toBe(events.length);
    for (const event of events) {
      const seq = history.seqAt(event.time);
      expect(events[seq - 1]?.time).toBe(event.time);
      expect(events[seq]?.time ?? Number.POSITIVE_INFINITY).toBeGreaterThan(event.time);
    }
  });

  it('seeks with a bounded number of events regardless of the length of the run', () => {
    const events = longRun(20_000);
    const history = new RunHistory(events, { keyframeInterval: 500 });
    const fold = new RunFold();
    for (const place of [19_999, 3, 10_000, 10_200, 499, 500, 501]) {
      const applied: number[] = [];
      const apply = fold.apply.bind(fold);
      fold.apply = (event) => {
        applied.push(event.seq);
        apply(event);
      };
      history.seek(place, fold);
      fold.apply = apply;
      expect(applied.length).toBeLessThan(500);
      expect(fold.lastSeq).toBe(place);
    }
  });

  it('creates the keyframes of a part of the run once, at the first seek into that part', () => {
    const events = longRun(8_000);
    const history = new RunHistory(events, { keyframeInterval: 200 });
    const apply = vi.spyOn(RunFold.prototype, 'apply');
    onTestFinished(() => apply.mockRestore());
    const applied = (place: number): number => {
      apply.mockClear();
      history.seek(place);
      return apply.mock.calls.length;
    };
    // The last keyframe before event 6,450 is at event 6,400.
    expect([applied(7_900), applied(7_900), applied(6_450)]).toEqual([1_500, 100, 50]);
  });
});
