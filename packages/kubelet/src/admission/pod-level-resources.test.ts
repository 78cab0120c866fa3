import type { Pod } from '@podscope/k8s';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { canAdmitPod } from './admission.ts';
import { getPodsToPreempt } from './preemption.ts';
import { insufficientResources } from './resources.ts';

/** Returns a pod whose own resources request more cpu than its container, which requests one cpu. */
const pod = (name: string, cpu: string, priority = 0): Pod =>
  newPod(name, {
    priority,
    resources: { requests: { cpu } },
    containers: [{ name: 'app', image: 'busybox', resources: { requests: { cpu: '1' } } }],
  });
const capacity = { cpu: '4' };

describe.each([
  [true, ['OutOfcpu'], ['a']],
  [false, [], ['a', 'b']],
] as const)('the gate PodLevelResources %s', (gate, reasons, victims) => {
  it('makes admission count the resources of the pod or those of its containers', () => {
    const rejections = insufficientResources(pod('web', '3'), [pod('other', '2')], capacity, gate);
    expect(rejections.map(({ reason }) => reason)).toEqual(reasons);
  });

  it('makes preemption count the resources that a victim releases', () => {
    const chosen = getPodsToPreempt(
      pod('critical', '2', 2_000_000_000),
      [pod('a', '2'), pod('b', '2')],
      [{ resource: 'cpu', missing: 2000 }],
      gate,
    );
    expect(chosen.map(({ metadata }) => metadata.name)).toEqual(victims);
  });
});

// The result of handler 7 in section 2.5 of the kubelet specification.
it.each([
  [true, undefined],
  [false, { reason: 'PodLevelResourcesNotSupported', message: 'PodLevelResources feature gate is disabled' }],
])(
  'admission of a pod with spec.resources, with the gate PodLevelResources %s, returns %j',
  async (gate, rejection) => {
    const ctx = background(new VirtualClock(), new Tracer());
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', uid: '' } } as const;
    const input = { others: [], node, nodeName: 'node-1', podLevelResources: gate };
    expect(await canAdmitPod(ctx, { ...input, pod: pod('web', '1') })).toEqual(rejection);
    expect(await canAdmitPod(ctx, { ...input, pod: newPod('web') })).toBeUndefined();
  },
);
