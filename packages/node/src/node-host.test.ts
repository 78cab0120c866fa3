import { MemoryPersistence } from '@podscope/apiserver/testing';
import type { Pod } from '@podscope/k8s';
import { background, type TraceEvent, Tracer } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { startTestNode, type TestNode } from './testing/test-node.ts';

const manifest = (name: string, command = 'sleep 3600', more = ''): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  terminationGracePeriodSeconds: 5
${more}  containers:
    - { name: app, image: busybox:1.36, command: [sh, -c, ${JSON.stringify(command)}] }
`;

const isRunning = (pod: Pod | undefined): boolean =>
  pod?.status?.phase === 'Running' && pod.status.containerStatuses?.[0]?.ready === true;

/** Stops a node and advances its clock until it has stopped. */
async function stop({ nodeHost, clock }: TestNode, keepPods: boolean): Promise<void> {
  const stopping = nodeHost.stop({ keepPods });
  await Promise.race([stopping, clock.advance(60_000)]);
  await stopping;
}

const staticPod = (name: string, hostNetwork: boolean): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    annotations: { 'kubernetes.io/config.hash': `uid-${name}` },
  },
  spec: {
    nodeName: 'node',
    hostNetwork,
    restartPolicy: 'Always',
    enableServiceLinks: true,
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 1,
    securityContext: {},
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], imagePullPolicy: 'IfNotPresent' }],
  },
});

const containersOf = async ({ simulator, clock }: TestNode): Promise<readonly string[]> => {
  const ctx = background(clock, new Tracer());
  const [{ containers }, { items }] = [
    await simulator.runtime.listContainers(ctx, {}),
    await simulator.runtime.listPodSandbox(ctx, {}),
  ];
  return [
    ...containers.map(({ metadata }) => metadata.name),
    ...items.map(({ metadata }) => `sandbox ${metadata.name}`),
  ];
};

const typesOf = (events: readonly TraceEvent[], uid: string | undefined): ReadonlySet<string> =>
  new Set(events.filter(({ pod }) => pod === uid).map(({ type }) => type));

describe('NodeHost', () => {
  it('runs a pod and emits the events of all layers', async () => {
    const test = await startTestNode();
    await test.apply(manifest('web'));
    await test.until(() => isRunning(test.pod('web')));
    const pod = test.pod('web');
    expect(pod).toMatchObject({
      spec: { nodeName: 'node' },
      status: {
        phase: 'Running',
        podIP: expect.stringMatching(/^10\./),
        hostIP: '192.168.49.2',
        qosClass: 'BestEffort',
      },
    });
    expect(pod?.status?.conditions?.filter(({ status }) => status === 'True').map(({ type }) => type)).toEqual(
      expect.arrayContaining(['PodScheduled', 'Initialized', 'Ready', 'ContainersReady', 'PodReadyToStartContainers']),
    );
    const reasons = test.nodeHost.api.storage
      .list('Event')
      .filter(({ involvedObject }) => involvedObject.uid === pod?.metadata.uid);
    expect(reasons.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['Pulled', 'Created', 'Started']));
    const types = typesOf(test.nodeHost.log.after(0), pod?.metadata.uid);
    for (const type of [
      'podChanged',
      'podStatus',
      'spanStarted',
      'spanEnded',
      'decision',
      'syncResult',
      'kubernetesEvent',
      'runtimeStateChanged',
    ])
      expect(types).toContain(type);
    expect(test.errors).toEqual([]);
    await stop(test, false);
  });

  it('stops a deleted pod gracefully and removes its object', async () => {
    const test = await startTestNode();
    await test.apply(manifest('web'));
    await test.until(() => isRunning(test.pod('web')));
    await test.nodeHost.commands.deletePod('default', 'web', undefined);
    expect(test.pod('web')?.metadata).toMatchObject({ deletionGracePeriodSeconds: 5 });
    await test.until(() => test.pod('web') === undefined, 60_000);
    const [last] = test.nodeHost.log
      .after(0)
      .filter((event) => event.type === 'podChanged')
      .slice(-1);
    expect(last).toMatchObject({ operation: 'DELETED', object: { metadata: { name: 'web' } } });
    await stop(test, true);
  });

  it('detects the exit of a container within two seconds', async () => {
    const test = await startTestNode();
    await test.apply(manifest('web', 'sleep 30; exit 3'));
    await test.until(() => isRunning(test.pod('web')));
    const before = test.clock.now();
    await test.until(
      () => test.pod('web')?.status?.containerStatuses?.[0]?.restartCount === 1 || !isRunning(test.pod('web')),
      60_000,
    );
    const ended = Date.parse(
      test.pod('web')?.status?.containerStatuses?.[0]?.lastState?.terminated?.finishedAt ??
        test.pod('web')?.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt ??
        '',
    );
    expect(ended - before).toBeGreaterThan(25_000);
    expect(test.clock.now() - ended).toBeLessThan(2_000);
    await stop(test, false);
  });

  it('removes its pods on stop, or keeps them for the next start', async () => {
    const persistence = new MemoryPersistence();
    const first = await startTestNode({ persistence });
    await first.apply(manifest('web'));
    await first.until(() => isRunning(first.pod('web')));
    const id = first.pod('web')?.status?.containerStatuses?.[0]?.containerID;
    await stop(first, true);
    expect(await containersOf(first)).toEqual(['app', 'sandbox web']);

    const second = await startTestNode({ persistence, simulator: first.simulator, clock: first.clock });
    expect(second.nodeHost.nodeInfo().run).toBeDefined();
    await second.clock.advance(30_000);
    expect(isRunning(second.pod('web'))).toBe(true);
    expect(second.pod('web')?.status?.containerStatuses?.[0]).toMatchObject({ containerID: id, restartCount: 0 });
    await stop(second, false);
    expect(await containersOf(second)).toEqual([]);
    expect([...persistence.kept.keys()].filter((key) => key.startsWith('pods/'))).toEqual([]);
  });

  it('runs static pods, shows them in the API and rejects those that violate the policy', async () => {
    const test = await startTestNode({ staticPods: true });
    const refused = test.nodeHost.setStaticPods([staticPod('good-node', false), staticPod('bad-node', true)]);
    expect(refused).toMatchObject([
      { pod: { metadata: { name: 'bad-node' } }, message: expect.stringContaining('--allow-host-namespaces') },
    ]);
    await test.until(() => isRunning(test.pod('good-node')), 60_000);
    expect(test.pod('good-node')?.metadata.annotations).toMatchObject({
      'kubernetes.io/config.mirror': 'uid-good-node',
    });
    expect(test.pod('bad-node')).toBeUndefined();
    await test.nodeHost.commands.deletePod('default', 'good-node', 0);
    // The events of the static pod and of its mirror pod have one UID.
    const named = test.nodeHost.log.after(0).filter(({ pod }) => pod !== undefined);
    expect(new Set(named.map(({ pod }) => pod))).toEqual(new Set(['uid-good-node']));
    expect(typesOf(named, 'uid-good-node')).toContain('podChanged');
    test.nodeHost.setStaticPods([]);
    await test.until(() => test.pod('good-node') === undefined, 60_000);
    await stop(test, false);
  });

  it('has a node, the default namespaces and the service of the API', async () => {
    const test = await startTestNode();
    const { storage } = test.nodeHost.api;
    expect(storage.list('Namespace').map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(storage.get('Node', undefined, 'node')?.status).toMatchObject({
      capacity: { cpu: '4', memory: '8388608Ki', pods: '110' },
      nodeInfo: { kubeletVersion: 'v1.36.2' },
    });
    expect(storage.get('Service', 'default', 'kubernetes')).toBeDefined();
    expect(test.nodeHost.nodeInfo()).toMatchObject({
      nodeName: 'node',
      runtime: { kind: 'sim' },
      profile: 'v1.36',
      steps: expect.arrayContaining([expect.objectContaining({ step: 9 })]),
    });
    await stop(test, false);
  });

  it('returns logs', async () => {
    const test = await startTestNode();
    await test.apply(manifest('web', 'echo hello; sleep 3600'));
    await test.until(() => isRunning(test.pod('web')));
    await test.clock.advance(1_000);
    const lines: string[] = [];
    for await (const { text } of test.nodeHost.commands.logs(
      { namespace: 'default', name: 'web', container: 'app' },
      new AbortController().signal,
    ))
      lines.push(text);
    expect(lines).toEqual(['hello']);
    const failing = test.nodeHost.commands.logs(
      { namespace: 'default', name: 'web', container: 'none' },
      new AbortController().signal,
    );
    await expect(failing[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      reason: 'BadRequest',
      message: expect.stringContaining('"none"'),
    });
    await stop(test, false);
  });

  it('returns a pod as YAML', async () => {
    const test = await startTestNode();
    await test.apply(manifest('web'));
    expect(test.nodeHost.commands.getPodYaml('default', 'web')).toMatch(/^apiVersion: v1\nkind: Pod\nmetadata:\n/);
    await stop(test, false);
  });
});
