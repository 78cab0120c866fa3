import type { Node, NodeSelectorRequirement, Pod } from '@podscope/k8s';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { canAdmitPod } from './admission.ts';
import { admissionV120 } from './v1-20/admission.ts';

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1', uid: 'n', labels: { disk: 'ssd', cores: '8' } },
  spec: { taints: [] },
  status: { allocatable: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '3', 'example.com/gpu': '1' } },
};

const withRequests = (name: string, requests: Record<string, string>, more: Partial<Pod['spec']> = {}): Pod =>
  newPod(name, { containers: [{ name: 'app', image: 'busybox', resources: { requests } }], ...more });

const affinity = (...matchExpressions: NodeSelectorRequirement[]): Partial<Pod['spec']> => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
});

const log = new EventLog(new VirtualClock());
const admit = async (pod: Pod, others: readonly Pod[] = [], on: Node | undefined = node) =>
  canAdmitPod(background(new VirtualClock(), new Tracer(log)), { pod, others, node: on, nodeName: 'node-1' });

describe('canAdmitPod', () => {
  it.each<[string, Pod, readonly Pod[]]>([
    ['an ordinary pod', newPod('a'), []],
    ['a pod that just fits', withRequests('a', { cpu: '3' }), [withRequests('b', { cpu: '1' })]],
    ['a resource that the node does not know', withRequests('a', { 'example.com/unknown': '5' }), []],
    ['a node selector that matches', newPod('a', { nodeSelector: { disk: 'ssd' } }), []],
    [
      'affinity that matches',
      newPod(
        'a',
        affinity({ key: 'disk', operator: 'In', values: ['ssd'] }, { key: 'cores', operator: 'Gt', values: ['4'] }),
      ),
      [],
    ],
    [
      'a safe sysctl',
      newPod('a', { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] } }),
      [],
    ],
    [
      'a safe sysctl with slashes',
      newPod('a', { securityContext: { sysctls: [{ name: 'net/ipv4/tcp_syncookies', value: '1' }] } }),
      [],
    ],
  ])('admits %s', async (_, pod, others) => {
    expect(await admit(pod, others)).toBeUndefined();
  });

  it.each<[string, Pod, readonly Pod[], string, string]>([
    [
      'too many pods',
      newPod('d'),
      [newPod('a'), newPod('b'), newPod('c')],
      'OutOfpods',
      'pods, requested: 1, used: 3, capacity: 3',
    ],
    [
      'too much cpu',
      withRequests('a', { cpu: '3500m' }),
      [withRequests('b', { cpu: '1' })],
      'OutOfcpu',
      'requested: 3500, used: 1000, capacity: 4000',
    ],
    [
      'too much memory',
      withRequests('a', { memory: '9Gi' }),
      [],
      'OutOfmemory',
      'requested: 9663676416, used: 0, capacity: 8589934592',
    ],
    [
      'too much ephemeral storage',
      withRequests('a', { 'ephemeral-storage': '11Gi' }),
      [],
      'OutOfephemeral-storage',
      'requested: 11811160064, used: 0, capacity: 10737418240',
    ],
    [
      'too many devices',
      withRequests('a', { 'example.com/gpu': '2' }),
      [],
      'OutOfexample.com/gpu',
      'requested: 2, used: 0, capacity: 1',
    ],
    ['cpu before memory', withRequests('a', { memory: '9Gi', cpu: '5' }), [], 'OutOfcpu', ''],
    [
      'another node selector',
      newPod('a', { nodeSelector: { disk: 'hdd' } }),
      [],
      'NodeAffinity',
      "node(s) didn't match Pod's node affinity/selector",
    ],
    [
      'affinity to other nodes',
      newPod('a', affinity({ key: 'disk', operator: 'NotIn', values: ['ssd'] })),
      [],
      'NodeAffinity',
      '',
    ],
    [
      'affinity to a label that only an object has',
      newPod('a', affinity({ key: 'constructor', operator: 'Exists' })),
      [],
      'NodeAffinity',
      '',
    ],
    [
      'another node',
      newPod('a', { nodeName: 'node-2' }),
      [],
      'NodeName',
      "node(s) didn't match the requested node name",
    ],
    ['another operating system', newPod('a', { os: { name: 'windows' } }), [], 'PodOSNotSupported', ''],
    [
      'a label for another system',
      newPod('a', {}, { labels: { 'kubernetes.io/os': 'windows' } }),
      [],
      'PodOSSelectorNodeLabelDoesNotMatch',
      '',
    ],
    [
      'an unsafe sysctl',
      newPod('a', { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
      [],
      'SysctlForbidden',
      'forbidden sysctl: "kernel.msgmax" not allowlisted',
    ],
    [
      'a network sysctl on the host network',
      newPod('a', {
        hostNetwork: true,
        securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] },
      }),
      [],
      'SysctlForbidden',
      'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host net enabled',
    ],
    [
      'a network sysctl with slashes on the host network, under its normalized name',
      newPod('a', {
        hostNetwork: true,
        securityContext: { sysctls: [{ name: 'net/ipv4/tcp_syncookies', value: '1' }] },
      }),
      [],
      'SysctlForbidden',
      'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host net enabled',
    ],
    [
      'an unsafe network sysctl on the host network, because the allowlist comes first',
      newPod('a', { hostNetwork: true, securityContext: { sysctls: [{ name: 'net/core/somaxconn', value: '1' }] } }),
      [],
      'SysctlForbidden',
      'forbidden sysctl: "net.core.somaxconn" not allowlisted',
    ],
    [
      'a safe ipc sysctl with the IPC namespace of the node',
      newPod('a', { hostIPC: true, securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } }),
      [],
      'SysctlForbidden',
      'forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host ipc enabled',
    ],
  ])('refuses %s', async (_, pod, others, reason, message) => {
    const rejection = await admit(pod, others);
    expect(rejection?.reason).toBe(reason);
    expect(rejection?.message).toContain(message);
  });

  it('rejects every pod while the node is unknown', async () => {
    expect(
      await canAdmitPod(background(new VirtualClock(), new Tracer()), {
        pod: newPod('a'),
        others: [],
        node: undefined,
        nodeName: 'node-1',
      }),
    ).toEqual({
      reason: 'InvalidNodeInfo',
      message: 'Kubelet cannot get node info.',
    });
  });

  it.each([
    ['Strict', undefined, 'SupplementalGroupsPolicyNotSupported'],
    ['Strict', false, 'SupplementalGroupsPolicyNotSupported'],
    ['Strict', true, undefined],
    ['Merge', false, undefined],
  ] as const)(
    'with the supplementalGroupsPolicy %s, and support by the runtime %s: %s',
    async (policy, supported, reason) => {
      const rejection = await canAdmitPod(background(new VirtualClock(), new Tracer()), {
        pod: newPod('a', { securityContext: { supplementalGroupsPolicy: policy } }),
        others: [],
        node,
        nodeName: 'node-1',
        ...(supported === undefined ? {} : { runtimeFeatures: { supplementalGroupsPolicy: supported } }),
      });
      expect(rejection?.reason).toBe(reason);
      expect(rejection?.message).toBe(reason && 'SupplementalGroupsPolicy=Strict is not supported in this node');
    },
  );

  it('rejects pods for NoExecute taints, except static pods', async () => {
    const tainted: Node = { ...node, spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } };
    expect((await admit(newPod('a'), [], tainted))?.reason).toBe('TaintToleration');
    expect(await admit(newPod('a', { tolerations: [{ operator: 'Exists' }] }), [], tainted)).toBeUndefined();
    expect(
      await admit(newPod('a', {}, { annotations: { 'kubernetes.io/config.source': 'file' } }), [], tainted),
    ).toBeUndefined();
  });

  it('rejects a critical pod for a taint, although it lacks resources too', async () => {
    const tainted: Node = { ...node, spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } };
    const wanted = withRequests('a', { cpu: '4' });
    const critical: Pod = { ...wanted, spec: { ...wanted.spec, priority: 2_000_000_000 } };
    const others = [withRequests('b', { cpu: '1' })];
    expect((await admit(critical, others, tainted))?.reason).toBe('TaintToleration');
    expect((await admit(wanted, others, tainted))?.reason).toBe('OutOfcpu');
  });

  it('rejects a sysctl in v1.20 under the name in the pod, and checks the allowlist first', async () => {
    const pod = newPod('a', {
      hostNetwork: true,
      securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] },
    });
    const ctx = background(new VirtualClock(), new Tracer());
    const rejection = await canAdmitPod(ctx, { pod, others: [], node, nodeName: 'node-1' }, admissionV120);
    expect(rejection?.message).toContain('forbidden sysctl: "net.core.somaxconn" not whitelisted');
  });

  it('emits a decision for each handler', async () => {
    const before = log.lastSeq;
    await admit(newPod('a'));
    expect(log.after(before).map((event) => event.type === 'decision' && event.rule)).toEqual([
      'admission.sysctls',
      'admission.predicates',
      'admission.appArmor',
    ]);
  });
});
