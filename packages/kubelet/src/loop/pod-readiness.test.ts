import type { PodCondition } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { featureGates } from '../features.ts';
import { containersReadyConditionV120 } from '../status/v1-20/conditions.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { needToReconcilePodReadiness } from './pod-readiness.ts';

const gate = (status: PodCondition['status']): PodCondition => ({ type: 'example.com/gate', status });
const ready = (status: PodCondition['status'], message?: string): PodCondition => ({
  type: 'Ready',
  status,
  ...(message === undefined ? {} : { message }),
});
const notTrue = 'the status of pod readiness gate "example.com/gate" is not "True", but False';

describe('needToReconcilePodReadiness', () => {
  it.each<[string, boolean, readonly PodCondition[]]>([
    ['false without a condition Ready', false, [gate('True')]],
    ['false when Ready is True and the gate is True', false, [gate('True'), ready('True')]],
    ['true when Ready is True and the gate is False', true, [gate('False'), ready('True')]],
    ['true when Ready is False and the gate is True', true, [gate('True'), ready('False', notTrue)]],
    ['false when Ready is False because of the gate', false, [gate('False'), ready('False', notTrue)]],
    [
      'true when the message of Ready names another status of the gate',
      true,
      [gate('Unknown'), ready('False', notTrue)],
    ],
  ])('returns %s', (_name, expected, conditions) => {
    const containerStatuses = [{ name: 'app', ready: true, restartCount: 0, image: '', imageID: '' }];
    const pod = {
      ...newPod('web', { readinessGates: [{ conditionType: 'example.com/gate' }] }),
      status: { phase: 'Running' as const, conditions, containerStatuses },
    };
    expect(needToReconcilePodReadiness(pod, featureGates())).toBe(expected);
    expect(needToReconcilePodReadiness(pod, featureGates(), containersReadyConditionV120)).toBe(expected);
  });

  it('returns false for a pod without readiness gates', () => {
    const pod = { ...newPod('web'), status: { conditions: [ready('False')] } };
    expect(needToReconcilePodReadiness(pod, featureGates())).toBe(false);
  });
});
