import type { PodStatus as ApiPodStatus, PodCondition } from '@podscope/k8s';
import { instant } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { mergePodStatus } from './merge-pod-status.ts';

const before = '2026-01-01T00:00:00Z';
const now = instant(Date.UTC(2026, 0, 1, 0, 1));
const condition = (type: string, status: PodCondition['status'], reason?: string): PodCondition => ({
  type,
  status,
  lastTransitionTime: before,
  ...(reason ? { reason, message: `because of ${reason}` } : {}),
});
const merge = (own: readonly PodCondition[], api: ApiPodStatus = { phase: 'Running' }, running = false) =>
  mergePodStatus(api, { phase: 'Failed', conditions: own }, running, now).conditions;

describe('mergePodStatus', () => {
  it('keeps the reasons of readiness conditions of a failed pod that are False', () => {
    const own = [condition('Ready', 'False', 'ContainersNotReady'), condition('ContainersReady', 'False', 'Other')];
    expect(merge(own)).toEqual(own);
  });

  it('sets both readiness conditions of a failed pod to PodFailed when one is True', () => {
    const own = [condition('Ready', 'False', 'ReadinessGatesNotReady'), condition('ContainersReady', 'True')];
    expect(merge(own)).toEqual([
      { type: 'Ready', status: 'False', reason: 'PodFailed', lastTransitionTime: before },
      { type: 'ContainersReady', status: 'False', reason: 'PodFailed', lastTransitionTime: '2026-01-01T00:01:00Z' },
    ]);
  });

  it('stamps DisruptionTarget with the time at which it is written', () => {
    const own = [condition('DisruptionTarget', 'True', 'TerminationByKubelet')];
    expect(merge(own)).toEqual([{ ...own[0], lastTransitionTime: '2026-01-01T00:01:00Z' }]);
  });

  it('keeps the time of a DisruptionTarget that the API already has', () => {
    const own = [condition('DisruptionTarget', 'True', 'TerminationByKubelet')];
    const api = { ...condition('DisruptionTarget', 'True', 'EvictionByEvictionAPI'), lastTransitionTime: 'earlier' };
    expect(merge(own, { phase: 'Running', conditions: [api] })).toEqual([{ ...own[0], lastTransitionTime: 'earlier' }]);
  });

  it('omits DisruptionTarget while containers may run', () => {
    expect(merge([condition('DisruptionTarget', 'True', 'TerminationByKubelet')], { phase: 'Running' }, true)).toEqual(
      [],
    );
  });
});
