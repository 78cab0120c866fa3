/** Tests the judgement of attempts with artificial events. */
import { instant, type TraceEvent } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { type Exercise, exerciseSchema } from '../model.ts';
import { attemptScenario, goalsMet } from './attempt.ts';

const begin = instant(1_000_000);
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const exercise: Exercise = exerciseSchema.parse({
  scenario: 'mine',
  at: 10,
  pod: 'web',
  seconds: 60,
  acts: [{ at: 20, do: 'deletePod' }],
  goals: [{ status: ready, for: 30 }, { never: { type: 'runtimeStateChanged', to: 'exited' } }],
});

const at = (seconds: number, event: object): TraceEvent =>
  ({ seq: 1, time: begin + seconds * 1_000, ...event }) as TraceEvent;
const created = (seconds: number, uid: string, name = 'web'): TraceEvent =>
  at(seconds, { type: 'podChanged', operation: 'ADDED', pod: uid, object: { metadata: { name } } });
const status = (seconds: number, uid: string, isReady: boolean): TraceEvent =>
  at(seconds, { type: 'podStatus', pod: uid, status: isReady ? ready : {} });
const exited = (seconds: number, uid: string): TraceEvent =>
  at(seconds, { type: 'runtimeStateChanged', pod: uid, to: 'exited' });

describe('goalsMet', () => {
  it.each([
    ['a status that lasts to the end', [created(0, 'b'), status(5, 'b', true)], [true, true]],
    [
      'a status that was interrupted too late',
      [created(0, 'b'), status(5, 'b', true), status(35, 'b', false), status(40, 'b', true)],
      [false, true],
    ],
    ['a status of another pod', [created(0, 'b'), status(5, 'c', true)], [false, true]],
    ['an exit of the replaced pod', [created(0, 'b'), exited(1, 'a'), status(5, 'b', true)], [true, true]],
    ['an exit of the new pod', [created(0, 'b'), exited(1, 'b'), status(5, 'b', true)], [true, false]],
    ['events before and after the attempt', [exited(-1, 'b'), created(0, 'b'), exited(61, 'b')], [false, true]],
    ['a pod of another name', [created(0, 'b', 'api'), status(5, 'b', true)], [false, false]],
    [
      'a pod that was deleted',
      [
        created(0, 'b'),
        status(5, 'b', true),
        at(50, { type: 'podChanged', operation: 'DELETED', pod: 'b', object: {} }),
      ],
      [false, true],
    ],
  ])('judges %s', (_, events, met) => {
    expect(goalsMet(exercise, { begin, events })).toEqual(met);
  });
});

it('attemptScenario replaces the pod at the exercise’s second, performs its acts, and ends with the attempt', () => {
  const first = { at: 3, do: 'removeImage', image: 'a' };
  expect(attemptScenario({ id: 'mine', acts: [first], duration: 900 }, exercise, 'kind: Pod')).toEqual({
    id: 'mine',
    duration: 70,
    acts: [
      first,
      { at: 10, do: 'deletePod', pod: 'web', gracePeriodSeconds: 0 },
      { at: 10, do: 'apply', manifest: 'kind: Pod' },
      { at: 30, do: 'deletePod', pod: 'web' },
    ],
  });
});
