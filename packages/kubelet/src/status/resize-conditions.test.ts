/** Tests which parts of a resize condition change when it is set again. */
import { addMilliseconds, instant } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { ResizeConditions } from './resize-conditions.ts';

const now = instant(Date.UTC(2026, 0, 1));
const later = addMilliseconds(now, 60_000);
const [time, laterTime] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'];

describe('a resize condition', () => {
  let conditions: ResizeConditions;

  beforeEach(() => {
    conditions = new ResizeConditions();
  });

  const set = (reason: string, message: string, observedGeneration: number, at = later): boolean =>
    conditions.setPending('uid', at, { reason, message, observedGeneration });

  it('has both times of its creation', () => {
    expect(set('Deferred', 'full', 2, now)).toBe(true);
    expect(conditions.get('uid')).toEqual([
      {
        type: 'PodResizePending',
        status: 'True',
        reason: 'Deferred',
        message: 'full',
        observedGeneration: 2,
        lastProbeTime: time,
        lastTransitionTime: time,
      },
    ]);
  });

  it.each([
    ['a new message', 'Deferred', 'fuller', 2, false, time],
    ['a new generation', 'Deferred', 'full', 3, true, time],
    ['a new reason', 'Infeasible', 'full', 2, true, laterTime],
  ])('that is pending gets %s', (_, reason, message, generation, isNews, lastTransitionTime) => {
    set('Deferred', 'full', 2, now);
    expect(set(reason, message, generation)).toBe(isNews);
    const after = { reason, message, observedGeneration: generation, lastProbeTime: laterTime, lastTransitionTime };
    expect(conditions.get('uid')).toEqual([expect.objectContaining(after)]);
  });

  it('that is in progress keeps its generation, and its error until the next one', () => {
    conditions.setInProgress('uid', now, { observedGeneration: 2 });
    const error = { reason: 'Error', message: 'refused', observedGeneration: 3 };
    const failed = { reason: 'Error', message: 'refused', observedGeneration: 2, lastTransitionTime: laterTime };
    expect(conditions.setInProgress('uid', later, error)).toMatchObject({ condition: failed, changed: true });
    expect(conditions.setInProgress('uid', later, { observedGeneration: 4 })).toMatchObject({
      condition: failed,
      changed: false,
    });
    expect(conditions.clear('uid', 'PodResizeInProgress')?.observedGeneration).toBe(2);
    expect(conditions.clear('uid', 'PodResizeInProgress')).toBeUndefined();
  });

  it('of an earlier kubelet is restored with the time of this kubelet', () => {
    const old = { type: 'PodResizePending', status: 'True', reason: 'Infeasible', lastTransitionTime: time } as const;
    conditions.restore('uid', later, [old, { type: 'Ready', status: 'True' }]);
    expect(conditions.get('uid')).toEqual([{ ...old, lastProbeTime: laterTime, lastTransitionTime: laterTime }]);
  });
});
