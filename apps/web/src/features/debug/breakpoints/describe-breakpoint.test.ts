import { describe, expect, it } from 'vitest';
import { describeBreakpoint } from './describe-breakpoint.ts';

const points = [{ id: 'syncPod.createPodSandbox', kind: 'syncStep', title: 'Create the sandbox' }];

describe('describeBreakpoint', () => {
  it('names the place by its title', () => {
    expect(describeBreakpoint({ point: 'syncPod.createPodSandbox' }, points)).toEqual({
      place: 'before Create the sandbox if necessary',
      details: '',
    });
    expect(describeBreakpoint({ kind: 'cri', when: 'error' }, points).place).toBe('on error in every cri');
    expect(
      describeBreakpoint(
        { source: { path: 'packages/kuberuntime/src/sync/sync-pod.ts', line: 12 }, when: 'after' },
        points,
      ).place,
    ).toBe('after sync-pod.ts:12');
  });

  it('names the conditions', () => {
    expect(
      describeBreakpoint({ point: 'cri.*', pod: 'web-*', condition: 'attempt > 1', hitCondition: '% 5' }, points)
        .details,
    ).toBe('pod web-* · if attempt > 1 · hits % 5');
    expect(describeBreakpoint({ point: 'cri.*', logMessage: '{attempt}', oneShot: true }, points).details).toBe(
      'logs “{attempt}” · once',
    );
  });
});
