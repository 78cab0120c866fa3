import { defaultPod } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { MemoryPersistence, startTestCluster, type TestCluster } from './testing/test-cluster.ts';

const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: team }
spec: { terminationGracePeriodSeconds: 1, containers: [{ name: app, image: busybox, command: [sleep, "3600"] }] }
`;

const addNamespace = ({ cluster }: TestCluster): void => {
  cluster.registry.create('Namespace', undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', uid: '' } });
};
const isThere = ({ cluster }: TestCluster): boolean => cluster.storage.get('Namespace', undefined, 'team') !== undefined;
const condition = ({ cluster }: TestCluster, type: string): object | undefined =>
  cluster.storage.get('Namespace', undefined, 'team')?.status?.conditions?.find((candidate) => candidate.type === type);

describe('a namespace that is deleted', () => {
  it('goes when its pods have ended, with all else in it', async () => {
    const test = await startTestCluster();
    const { storage, registry } = test.cluster;
    addNamespace(test);
    registry.create('ConfigMap', 'team', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', uid: '' } });
    await test.apply(pod('first'));
    await test.apply(pod('second'));
    await test.until(() => storage.list('Pod', 'team').every(({ status }) => status?.phase === 'Running'));
    expect(registry.delete('Namespace', undefined, 'team')).toMatchObject({ removed: false });
    await test.until(() => storage.list('Pod', 'team').every(({ metadata }) => metadata.deletionTimestamp !== undefined));
    expect(condition(test, 'NamespaceContentRemaining')).toMatchObject({
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: expect.stringMatching(/^Some resources are remaining: configmaps\. has 1 resource instances, .*pods\. has 2 resource instances/) as string,
    });
    // What is not a pod waits for them.
    expect(storage.list('ConfigMap', 'team')).toHaveLength(1);
    await test.until(() => !isThere(test), 30_000);
    for (const kind of ['Pod', 'ConfigMap', 'ServiceAccount', 'Event'] as const) expect(storage.list(kind, 'team')).toEqual([]);
  });

  it('waits for finalizers, its own too', async () => {
    const test = await startTestCluster();
    const { storage, registry } = test.cluster;
    addNamespace(test);
    const held = { name: 'held', uid: '', finalizers: ['example.com/hold'] };
    registry.create('ConfigMap', 'team', { apiVersion: 'v1', kind: 'ConfigMap', metadata: held });
    registry.update('Namespace', undefined, 'team', (namespace) => ({
      ...namespace,
      metadata: { ...namespace.metadata, finalizers: ['example.com/last'] },
    }));
    registry.delete('Namespace', undefined, 'team');
    await test.until(() => condition(test, 'NamespaceFinalizersRemaining') !== undefined && storage.list('ServiceAccount', 'team').length === 0);
    expect(condition(test, 'NamespaceFinalizersRemaining')).toMatchObject({
      status: 'True',
      message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    registry.update('ConfigMap', 'team', 'held', (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
    await test.until(() => (condition(test, 'NamespaceContentRemaining') as { status?: string }).status === 'False');
    expect(isThere(test)).toBe(true);
    registry.update('Namespace', undefined, 'team', (namespace) => ({ ...namespace, metadata: { ...namespace.metadata, finalizers: [] } }));
    await test.until(() => !isThere(test));
  });

  it('goes after a restart that came in between', async () => {
    const persistence = new MemoryPersistence();
    const before = await startTestCluster({ persistence });
    addNamespace(before);
    await before.apply(pod('left'));
    await before.until(() => before.cluster.storage.get('Pod', 'team', 'left')?.status?.phase === 'Running');
    before.cluster.registry.delete('Namespace', undefined, 'team');
    await before.cluster.stop();
    const after = await startTestCluster({ persistence, simulator: before.simulator, clock: before.clock });
    expect(isThere(after)).toBe(true);
    await after.until(() => !isThere(after), 30_000);
  });

  it('is not given mirror pods any more', async () => {
    const test = await startTestCluster({ staticPods: true });
    addNamespace(test);
    const uid = 'static-uid';
    test.cluster.setStaticPods([
      defaultPod({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'fixed-node', namespace: 'team', uid, annotations: { 'kubernetes.io/config.hash': uid } },
        spec: { nodeName: 'node', terminationGracePeriodSeconds: 1, containers: [{ name: 'app', image: 'busybox', command: ['sleep', '3600'] }] },
      }),
    ]);
    await test.until(() => test.cluster.storage.get('Pod', 'team', 'fixed-node')?.status?.phase === 'Running');
    expect(test.cluster.storage.get('Pod', 'team', 'fixed-node')).toMatchObject({ metadata: { generation: 1 }, spec: { priority: 0 } });
    test.cluster.registry.delete('Namespace', undefined, 'team');
    await test.until(() => !isThere(test), 30_000);
    await test.clock.advance(120_000);
    expect(test.cluster.storage.list('Pod', 'team')).toEqual([]);
  });
});
