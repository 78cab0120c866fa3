import type { Pod } from '@podscope/k8s';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { featureGates } from '../features.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { canAdmitPod } from './admission.ts';
import { nodeDeclaredFeatures, unsupportedUpdate } from './declared-features.ts';

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', uid: '' } } as const;
const declaredWith = (overrides: Readonly<Record<string, boolean>>): readonly string[] | undefined =>
  nodeDeclaredFeatures(featureGates(overrides));

const restartsAll = newPod('web', {
  containers: [
    {
      name: 'app',
      image: 'busybox',
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }],
    },
  ],
});
const hostNetworkAndUsers = newPod('web', { hostNetwork: true, hostUsers: false });

// Tests the features that a node declares and a pod needs. The cases are those of the kubelet specification, section
// 2.5, handler 8.
describe('admission with the handler of declared features', () => {
  const admitted = async (pod: Pod, gates: Readonly<Record<string, boolean>>) => {
    const clock = new VirtualClock();
    const log = new EventLog(clock);
    const ctx = background(clock, new Tracer(log));
    const input = { pod, others: [], node, nodeName: 'node-1', declaredFeatures: declaredWith(gates) };
    const rejection = await canAdmitPod(ctx, input);
    const rules = log.after(0).map((event) => event.type === 'decision' && event.rule);
    return { rejection, isEvaluated: rules.includes('admission.declaredFeatures') };
  };
  const missing = (feature: string) => ({
    reason: 'PodFeatureUnsupported',
    message: `Pod requires node features that are not available: ${feature}`,
  });

  it.each([
    ['a pod without such needs', newPod('web'), {}, undefined, false],
    ['a pod that restarts all containers', restartsAll, {}, undefined, true],
    [
      'the same with the gate of the feature off',
      restartsAll,
      { RestartAllContainersOnContainerExits: false },
      missing('RestartAllContainersOnContainerExits'),
      true,
    ],
    [
      'the same with the gate NodeDeclaredFeatures off',
      restartsAll,
      { RestartAllContainersOnContainerExits: false, NodeDeclaredFeatures: false },
      undefined,
      false,
    ],
    [
      "a user namespace in the node's network, which the runtime doesn't support",
      hostNetworkAndUsers,
      { UserNamespacesHostNetworkSupport: true },
      missing('UserNamespacesHostNetworkSupport'),
      true,
    ],
  ])('decides on %s', async (_case, pod, gates, rejection, isEvaluated) => {
    expect(await admitted(pod, gates)).toEqual({ rejection, isEvaluated });
  });
});

it('the node declares the features whose gates are on, in the order of their names', () => {
  expect(declaredWith({})).toEqual([
    'ExtendWebSocketsToKubelet',
    'InPlacePodLevelResourcesVerticalScaling',
    'InPlacePodVerticalScalingInitContainers',
    'RestartAllContainersOnContainerExits',
  ]);
  expect(declaredWith({ ExtendWebSocketsToKubelet: false })).not.toContain('ExtendWebSocketsToKubelet');
  expect(declaredWith({ NodeDeclaredFeatures: false })).toBeUndefined();
});

describe('a change of a pod', () => {
  const cpu = (value: string) => ({ requests: { cpu: value } });
  const podLevel = (value: string): Pod => newPod('web', { resources: cpu(value) });
  const init = (value: string, restartPolicy?: 'Always'): Pod =>
    newPod('web', {
      initContainers: [
        { name: 'init', image: 'busybox', resources: cpu(value), ...(restartPolicy ? { restartPolicy } : {}) },
      ],
    });

  it.each([
    ['of nothing', podLevel('1'), podLevel('1'), undefined],
    ["of the pod's resources", podLevel('1'), podLevel('2'), 'InPlacePodLevelResourcesVerticalScaling'],
    ['of an init container', init('1'), init('2'), 'InPlacePodVerticalScalingInitContainers'],
    ['of a sidecar', init('1', 'Always'), init('2', 'Always'), undefined],
  ])('is accepted when %s needs only declared features', (_case, before, after, feature) => {
    expect(unsupportedUpdate(before, after, declaredWith({}))).toBeUndefined();
    expect(unsupportedUpdate(before, after, undefined)).toBeUndefined();
    expect(unsupportedUpdate(before, after, [])).toBe(
      feature === undefined ? undefined : `Pod requires node features that are not available: ${feature}`,
    );
  });
});
