import { describe, expect, it } from 'vitest';
import { startTestNode, type TestNode } from '../testing/test-node.ts';
import { nodeConditions } from './node-object.ts';

const node = ({ nodeHost }: TestNode) => nodeHost.api.storage.mustGet('Node', undefined, 'node');
const lease = ({ nodeHost }: TestNode) => nodeHost.api.storage.mustGet('Lease', 'kube-node-lease', 'node');
const ready = (test: TestNode) => node(test).status?.conditions?.find(({ type }) => type === 'Ready');
const nodeEvents = ({ nodeHost }: TestNode) =>
  nodeHost.api.storage.list('Event', 'default').filter(({ involvedObject }) => involvedObject.kind === 'Node');
const reasons = (test: TestNode) => nodeEvents(test).map(({ reason }) => reason);

describe('the node', () => {
  it.each([
    ['v1.36', 'v1.36.2'],
    ['v1.20', 'v1.20.2'],
  ] as const)('reports the kubelet version of profile %s: %s', async (profile, kubeletVersion) => {
    const test = await startTestNode({ profile });
    expect(node(test).status?.nodeInfo).toMatchObject({ kubeletVersion });
    await test.nodeHost.stop();
  });

  it('renews its lease every ten seconds', async () => {
    const test = await startTestNode();
    expect(lease(test)).toMatchObject({
      spec: { holderIdentity: 'node', leaseDurationSeconds: 40 },
      metadata: { ownerReferences: [{ kind: 'Node', name: 'node' }] },
    });
    const times = [lease(test).spec?.renewTime];
    for (let beat = 0; beat < 3; beat += 1) {
      await test.clock.advance(10_000);
      times.push(lease(test).spec?.renewTime);
    }
    expect(times.map((time) => Date.parse(time ?? '') - Date.parse(times[0] ?? ''))).toEqual([
      0, 10_000, 20_000, 30_000,
    ]);
  });

  it('reports its images and, without a change, updates its status every five minutes only', async () => {
    const test = await startTestNode();
    test.simulator.addImage('busybox:1.36');
    await test.until(() => (node(test).status?.images?.length ?? 0) > 0, 60_000);
    expect(node(test).status?.images?.[0]).toMatchObject({
      names: expect.arrayContaining([expect.stringContaining('busybox')]),
      sizeBytes: expect.any(Number),
    });
    const { resourceVersion } = node(test).metadata;
    await test.clock.advance(200_000);
    expect(node(test).metadata.resourceVersion).toBe(resourceVersion);
    await test.clock.advance(120_000);
    expect(node(test).metadata.resourceVersion).not.toBe(resourceVersion);
  });

  it('gets its Node events at each start of the kubelet, and none of them in the event log', async () => {
    const test = await startTestNode();
    const begins = ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID', 'Starting'];
    expect(reasons(test)).toEqual(begins);
    expect(ready(test)).toMatchObject({ status: 'False', reason: 'KubeletNotReady' });
    await test.clock.advance(200);
    expect(ready(test)).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    expect(reasons(test)).toEqual([...begins, 'NodeReady']);
    await test.nodeHost.restartKubelet();
    await test.clock.advance(200);
    expect(nodeEvents(test).map(({ count }) => count)).toEqual([2, 2, 2, 2, 1]);
    expect(test.nodeHost.log.after(0).filter(({ type }) => type === 'kubernetesEvent')).toEqual([]);
  });

  it('is not ready while its network is not, and keeps the transition time', async () => {
    const test = await startTestNode();
    await test.clock.advance(20_000);
    expect(ready(test)).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    test.simulator.setNetworkReady(false);
    await test.until(() => ready(test)?.status === 'False', 60_000);
    expect(ready(test)).toMatchObject({ reason: 'KubeletNotReady', message: expect.stringContaining('network') });
    const { lastTransitionTime } = ready(test) ?? {};
    await test.clock.advance(20_000);
    expect(ready(test)?.lastTransitionTime).toBe(lastTransitionTime);
    test.simulator.setNetworkReady(true);
    await test.until(() => ready(test)?.status === 'True', 60_000);
    expect(nodeEvents(test).find(({ reason }) => reason === 'NodeNotReady')).toMatchObject({
      message: 'Node node status is now: NodeNotReady',
      involvedObject: { uid: 'node' },
      count: 1,
    });
    expect(nodeEvents(test).find(({ reason }) => reason === 'NodeReady')).toMatchObject({
      message: 'Node node status is now: NodeReady',
      count: 2,
    });
  });
});

describe('nodeConditions', () => {
  it('joins all errors in the message of the Ready condition', () => {
    const [, , , condition] = nodeConditions(
      [],
      ['PLEG is not healthy', 'container runtime is down'],
      '2026-01-01T00:00:00Z',
    );
    expect(condition).toMatchObject({
      type: 'Ready',
      status: 'False',
      message: '[PLEG is not healthy, container runtime is down]',
    });
  });
});

describe('the default service account', () => {
  const accounts = ({ nodeHost }: TestNode, namespace: string) =>
    nodeHost.api.storage.list('ServiceAccount', namespace).map(({ metadata }) => metadata.name);

  it('exists in each namespace and is created again after a deletion', async () => {
    const test = await startTestNode();
    expect(accounts(test, 'kube-system')).toEqual(['default']);
    test.nodeHost.api.registry.create('Namespace', undefined, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team', uid: '' },
    });
    expect(accounts(test, 'team')).toEqual(['default']);
    test.nodeHost.api.registry.delete('ServiceAccount', 'team', 'default');
    await test.until(() => accounts(test, 'team').length === 1);
    test.nodeHost.api.registry.delete('Namespace', undefined, 'team');
    await test.clock.advance(1_000);
    expect(accounts(test, 'team')).toEqual([]);
  });

  it('adds its pull secrets to pods without pull secrets', async () => {
    const { nodeHost } = await startTestNode();
    nodeHost.api.registry.update('ServiceAccount', 'default', 'default', (account) => ({
      ...account,
      imagePullSecrets: [{ name: 'registry' }],
    }));
    const create = (name: string, imagePullSecrets?: { name: string }[]) =>
      nodeHost.api.registry.create('Pod', 'default', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, uid: '' },
        spec: {
          containers: [{ name: 'app', image: 'busybox:1.36' }],
          ...(imagePullSecrets ? { imagePullSecrets } : {}),
        },
      });
    expect(create('inherits').spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(create('own', [{ name: 'mine' }]).spec.imagePullSecrets).toEqual([{ name: 'mine' }]);
  });
});
