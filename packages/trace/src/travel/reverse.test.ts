import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventScript } from '../folds/testing/index.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { type BoundaryContext, openSpans, reverseContinue, stepBack } from './reverse.ts';

/** Returns the log of worker( a( x() y() ) b() ). Comments contain the event numbers. */
function reported(): EventScript {
  const log = new EventScript('pod');
  log.open('worker'); // 1
  log.open('a'); // 2
  log.open('x'); // 3
  log.close(); // 4
  log.emit({ type: 'decision', rule: 'r', facts: {}, outcome: 'yes', decisive: true }); // 5
  log.open('y'); // 6
  log.close(undefined, { reason: 'Unknown', message: 'no' }); // 7
  log.close(); // 8
  log.open('b'); // 9
  log.close(); // 10
  return log.close(); // 11
}

const { events } = reported();
/** Formats a boundary as `before a@2`. */
const shown = (boundary: ReturnType<typeof stepBack>): string | undefined =>
  boundary && `${boundary.phase} ${boundary.point}@${boundary.seq}`;

describe('stepBack', () => {
  it.each([
    [11, 'before worker@1'],
    [10, 'before b@9'],
    [9, 'before a@2'],
    [8, 'before a@2'],
    [7, 'before y@6'],
    [6, 'before x@3'],
    [5, 'before x@3'],
    [3, 'before a@2'],
    [2, 'before worker@1'],
    [1, undefined],
  ])('steps over from %i to %s', (position, expected) =>
    expect(shown(stepBack(events, position, 'pod'))).toBe(expected),
  );

  it.each([
    [11, 'after b@10'],
    [9, 'after a@8'],
    [5, 'after x@4'],
    [4, 'before x@3'],
  ])('steps into from %i to %s', (position, expected) =>
    expect(shown(stepBack(events, position, 'pod', 'into'))).toBe(expected),
  );

  it.each([
    [11, 'before worker@1'],
    [7, 'before a@2'],
    [5, 'before a@2'],
    [10, 'before worker@1'],
  ])('steps out from %i to %s', (position, expected) =>
    expect(shown(stepBack(events, position, 'pod', 'out'))).toBe(expected),
  );

  it('stays on its thread', () => expect(stepBack(events, 9, 'other')).toBeUndefined());

  it('always goes back until the beginning', () => {
    fc.assert(
      fc.property(
        randomRun(),
        fc.constantFrom('into' as const, 'over' as const, 'out' as const),
        (run, granularity) => {
          for (const thread of ['pod-a', 'pod-b', 'pod-c']) {
            let position = run.length;
            for (
              let boundary = stepBack(run, position, thread, granularity);
              boundary;
              boundary = stepBack(run, position, thread, granularity)
            ) {
              expect(boundary.seq).toBeLessThan(position);
              expect(boundary.thread).toBe(thread);
              position = boundary.seq;
            }
          }
        },
      ),
    );
  });

  it('visits each boundary once with granularity into', () => {
    const visited: string[] = [];
    for (
      let boundary = stepBack(events, 12, 'pod', 'into');
      boundary;
      boundary = stepBack(events, boundary.seq, 'pod', 'into')
    )
      visited.push(`${boundary.phase} ${boundary.point}`);
    expect(visited).toEqual([
      'after worker',
      'after b',
      'before b',
      'after a',
      'after y',
      'before y',
      'after x',
      'before x',
      'before a',
      'before worker',
    ]);
  });
});

describe('reverseContinue', () => {
  const at =
    (point: string, phase: 'before' | 'after') =>
    ({ boundary }: BoundaryContext) =>
      boundary.point === point && boundary.phase === phase;

  it('stops at the last matching boundary before the position', () => {
    expect(reverseContinue(events, 11, at('x', 'before'))).toMatchObject({ seq: 3, hit: true });
    expect(reverseContinue(events, 3, at('x', 'before'))).toMatchObject({ seq: 1, hit: false });
    expect(reverseContinue(events, 11, ({ ended }) => ended?.outcome === 'error')).toMatchObject({
      seq: 7,
      point: 'y',
      phase: 'after',
      hit: true,
    });
  });

  it('goes to the beginning of the recording without a hit', () => {
    expect(reverseContinue(events, 8, () => false)).toMatchObject({ seq: 1, hit: false });
    expect(reverseContinue(events, 1, () => true)).toBeUndefined();
  });

  it('ignores spans that began before the recording', () => {
    expect(reverseContinue(events.slice(3), 8, ({ boundary }) => boundary.point === 'x')).toMatchObject({
      point: 'y',
      seq: 6,
      hit: false,
    });
  });

  it('stays on the requested thread', () => expect(reverseContinue(events, 11, () => true, 'other')).toBeUndefined());
});

describe('openSpans', () => {
  it.each([
    [1, ['worker']],
    [3, ['worker', 'a', 'x']],
    [5, ['worker', 'a']],
    [11, []],
  ])('returns the open spans at %i: %j', (position, expected) =>
    expect(openSpans(events, position, 'pod').map(({ point }) => point)).toEqual(expected),
  );
});
