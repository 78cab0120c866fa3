import { MemoryPersistence } from '@podscope/apiserver/testing';
import { defaultPod } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { startTestNode, type TestNode } from '../testing/test-node.ts';

const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: team }
spec: { terminationGracePeriodSeconds: 1, containers: [{ name: app, image: busybox, command: [sleep, "3600"] }] }
`;

const addNamespace = ({ nodeHost }: TestNode): void => {
  nodeHost.api.registry.create('Namespace', undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', uid: '' },
  });
};
const isThere = ({ nodeHost }: TestNode): boolean =>
  nodeHost.api.storage.get('Namespace', undefined, 'team') !== undefined;
const condition = ({ nodeHost }: TestNode, type: string): object | undefined =>
  nodeHost.api.storage
    .get('Namespace', undefined, 'team')
    ?.status?.conditions?.find((candidate) => candidate.type === type);

describe('a namespace that is deleted', () => {
  it('is removed with all its objects when its pods have terminated', async () => {
    const test = await startTestNode();
    const { storage, registry } = test.nodeHost.api;
    addNamespace(test);
    registry.create('ConfigMap', 'team', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', uid: '' },
    });
    await test.apply(pod('first'));
    await test.apply(pod('second'));
    await test.until(() => storage.list('Pod', 'team').every(({ status }) => status?.phase === 'Running'));
    expect(registry.delete('Namespace', undefined, 'team')).toMatchObject({ removed: false });
    await test.until(() =>
      storage.list('Pod', 'team').every(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    expect(condition(test, 'NamespaceContentRemaining')).toMatchObject({
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: expect.stringMatching(
        /^Some resources are remaining: configmaps\. has 1 resource instances, .*pods\. has 2 resource instances/,
      ) as string,
    });
    // When a namespace is deleted, objects of other kinds are deleted after the pods.
    expect(storage.list('ConfigMap', 'team')).toHaveLength(1);
    await test.until(() => !isThere(test), 30_000);
    for (const kind of ['Pod', 'ConfigMap', 'ServiceAccount', 'Event'] as const)
      expect(storage.list(kind, 'team')).toEqual([]);
  });

  it('is removed after a restart during the deletion', async () => {
    const persistence = new MemoryPersistence();
    const before = await startTestNode({ persistence });
    addNamespace(before);
    await before.apply(pod('left'));
    await before.until(() => before.nodeHost.api.storage.get('Pod', 'team', 'left')?.status?.phase === 'Running');
    before.nodeHost.api.registry.delete('Namespace', undefined, 'team');
    await before.nodeHost.stop();
    const after = await startTestNode({ persistence, simulator: before.simulator, clock: before.clock });
    expect(isThere(after)).toBe(true);
    await after.until(() => !isThere(after), 30_000);
  });

  it('gets no new mirror pods', async () => {
    const test = await startTestNode({ staticPods: true });
    addNamespace(test);
    const uid = 'static-uid';
    test.nodeHost.setStaticPods([
      defaultPod({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'fixed-node', namespace: 'team', uid, annotations: { 'kubernetes.io/config.hash': uid } },
        spec: {
          nodeName: 'node',
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'app', image: 'busybox', command: ['sleep', '3600'] }],
        },
      }),
    ]);
    await test.until(() => test.nodeHost.api.storage.get('Pod', 'team', 'fixed-node')?.status?.phase === 'Running');
    expect(test.nodeHost.api.storage.get('Pod', 'team', 'fixed-node')).toMatchObject({
      metadata: { generation: 1 },
      spec: { priority: 0 },
    });
    test.nodeHost.api.registry.delete('Namespace', undefined, 'team');
    await test.until(() => !isThere(test), 30_000);
    await test.clock.advance(120_000);
    expect(test.nodeHost.api.storage.list('Pod', 'team')).toEqual([]);
  });
});
