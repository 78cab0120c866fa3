/** Tests what the diagnosis says about pods for which Karpenter makes no node, and about incomplete groups of pods. */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../../testing/first-diagnosis.ts';

const scheduler = '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption.';

function diagnosisOf(messages: readonly string[], metadata: object = {}, spec: object = {}) {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: { containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '4' } } }], ...spec },
    status: { phase: 'Pending' },
  };
  const events = messages.map((message, index) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `e${index}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'shop', uid: 'u' },
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    lastTimestamp: `2026-01-01T00:01:0${index}Z`,
  }));
  return firstDiagnosis([pod, ...events]);
}

describe('the diagnosis of a pod for which Karpenter makes no node', () => {
  it.each([
    [
      'incompatible with nodepool "spot", daemonset overhead={"cpu":"1"}, ' +
        'all available instance types exceed limits for nodepool: "spot"',
      /NodePool spot has reached its limits/,
      /Raise spec.limits of the NodePool: kubectl edit nodepools\.karpenter\.sh spot/,
    ],
    [
      'incompatible with nodepool "general", daemonset overhead={"cpu":"1"}, ' +
        'incompatible requirements, key zone, zone In [c] not in zone In [a b]',
      /NodePool general offers no node with the labels [^:]*: incompatible requirements, key zone/,
      /Correct nodeSelector or node affinity in Pod web/,
    ],
    [
      'incompatible with nodepool "gpu", daemonset overhead={"cpu":"1"}, did not tolerate gpu=true:NoSchedule',
      /doesn’t tolerate the taints of any NodePool \(gpu\)/,
      /add the toleration to Pod web/,
    ],
    [
      'incompatible with nodepool "gpu", did not tolerate gpu=true:NoSchedule; incompatible with nodepool "small", ' +
        'no instance type satisfied resources {"cpu":"4100m","pods":"5"} and requirements os In [linux] (x)',
      /no instance type of NodePool small offers what the pod and the daemons of a node need \(cpu 4100m, pods 5\)/,
      /lower the requests, or allow larger instance types in NodePool small/,
    ],
  ])('names the pool and what to change for: %s', (message, cause, remedy) => {
    const found = diagnosisOf([scheduler, `Failed to schedule pod, ${message}`]);
    expect(found.cause).toMatch(cause);
    expect(found.remedies.split('\n')[0]).toMatch(remedy);
  });

  it('ignores what Karpenter said before it nominated a node', () => {
    const found = diagnosisOf([
      'Failed to schedule pod, incompatible with nodepool "a", did not tolerate b',
      scheduler,
    ]);
    expect(found.cause).toMatch(/4 \(app\) of cpu/);
  });
});

describe('the diagnosis of a pod of a group', () => {
  it.each([
    [
      'pre-filter pod a cannot find enough sibling pods, current pods number: 2, minMember of group: 5',
      { labels: { 'scheduling.x-k8s.io/pod-group': 'train' } },
      /group train are only scheduled together: the group needs 5 pods \(minMember\), and 2 exist/,
      /describe podgroups\.scheduling\.x-k8s\.io train/,
    ],
    [
      'pod group is not ready, 1 Pending, 3 minAvailable; Pending: 1 Unschedulable',
      { annotations: { 'scheduling.k8s.io/group-name': 'podgroup-1' } },
      /group podgroup-1 are only scheduled together, and the group isn’t complete yet/,
      /describe podgroups\.scheduling\.volcano\.sh podgroup-1/,
    ],
  ])('names the group for: %s', (message, metadata, cause, remedy) => {
    const found = diagnosisOf([message], metadata);
    expect(found.cause).toMatch(cause);
    expect(found.remedies.split('\n')[0]).toMatch(remedy);
  });
});
