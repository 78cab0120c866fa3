/**
 * Tests in-place resizes: a resize is granted when it fits, otherwise deferred and retried when resources are released.
 */
import type { Pod, PodCondition } from '@podscope/k8s';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import { describeResize } from './allocation-manager.ts';

const withCpu = (name: string, cpu: string): Pod =>
  newPod(name, {
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        command: ['sleep', '3600'],
        resources: { requests: { cpu }, limits: { cpu } },
      },
    ],
  });

describe('a resize in place', () => {
  let harness: KubeletHarness;

  beforeEach(async () => {
    // The node has four CPUs.
    harness = new KubeletHarness({ simulator: { latencies: {} } });
    await harness.start();
    harness.api.apply(withCpu('web', '1'));
    harness.api.apply(withCpu('db', '2'));
    await harness.until(3);
  });
  afterEach(() => harness.stop());

  const resize = (name: string, cpu: string): void => {
    const pod = harness.api.pods.get(name) as Pod;
    const generation = (pod.metadata.generation ?? 1) + 1;
    harness.api.apply({ ...pod, metadata: { ...pod.metadata, generation }, spec: withCpu(name, cpu).spec });
  };
  const conditions = (name: string): readonly string[] =>
    (harness.status(name).conditions ?? [])
      .filter(({ type }) => type.startsWith('PodResize'))
      .map(({ type, reason }) => `${type} ${reason ?? ''}`.trim());
  const events = (): readonly string[] =>
    harness.events
      .filter(({ reason }) => reason.startsWith('Resize'))
      .map(({ reason, message }) => `${reason} ${message}`);
  const allocated = (name: string): unknown => harness.status(name).containerStatuses?.[0]?.allocatedResources;

  const triggers = (): readonly unknown[] =>
    harness
      .ofType('spanStarted')
      .filter(({ point }) => point === 'kubelet.allocateResize')
      .map(({ attributes }) => attributes['trigger']);

  it('is granted, with the event ResizeStarted, when it fits on the node', async () => {
    resize('web', '2');
    await harness.until(6);
    expect(events()[0]).toBe(
      'ResizeStarted Pod resize started: {"containers":[{"name":"app","resources":{"limits":{"cpu":"2"},' +
        '"requests":{"cpu":"2"}}}],"generation":2}',
    );
    expect(allocated('web')).toEqual({ cpu: '2' });
    expect(await harness.os.readFile('/var/lib/kubelet/allocated_pods_state')).toBeDefined();
  });

  it('is followed by a sync at once, although no relist came after the last sync', async () => {
    // The first resize causes a sync that is newer than the relist at second 5.
    await harness.until(5.2);
    resize('web', '2');
    await harness.until(5.4);
    const before = harness.log.lastSeq;
    resize('web', '1500m');
    await harness.until(6.5);
    const syncs = harness
      .ofType('spanStarted')
      .filter(({ point, seq }) => point === 'kuberuntime.SyncPod' && seq > before);
    expect((syncs[0]?.time ?? 0) % 60_000).toBe(5400);
  });

  it('is deferred while it does not fit, until another pod is deleted', async () => {
    resize('web', '3');
    await harness.until(6);
    expect(conditions('web')).toEqual(['PodResizePending Deferred']);
    expect(events()).toHaveLength(1);
    expect(events()[0]).toMatch(/^ResizeDeferred Pod resize OutOfcpu: /);
    expect(allocated('web')).toEqual({ cpu: '1' });
    harness.api.delete('db', 0);
    await harness.until(12);
    expect(conditions('web')).not.toContain('PodResizePending Deferred');
    expect(allocated('web')).toEqual({ cpu: '3' });
  });

  const pending = (name: string): PodCondition | undefined =>
    harness.status(name).conditions?.find(({ type }) => type === 'PodResizePending');

  it('is deferred, and no call is made, when it requests more than the capacity of the node', async () => {
    resize('web', '5');
    await harness.until(6);
    const message = "Node didn't have enough resource: cpu, requested: 5000, used: 2000, capacity: 4000";
    expect(pending('web')).toMatchObject({ status: 'True', reason: 'Deferred', message, observedGeneration: 2 });
    expect(events()).toEqual([
      'ResizeDeferred Pod resize OutOfcpu: {"containers":[{"name":"app","resources":{"limits":{"cpu":"5"},' +
        `"requests":{"cpu":"5"}}}],"generation":2,"error":"${message}"}`,
    ]);
    harness.api.delete('db', 0);
    await harness.until(400);
    // It is retried without another event. The message names what is used now.
    expect(events()).toHaveLength(1);
    expect(pending('web')?.message).toContain('requested: 5000, used: 0, capacity: 4000');
    // The pod keeps its earlier grant, and a smaller request may still fit.
    expect(allocated('web')).toEqual({ cpu: '1' });
    resize('web', '4');
    await harness.until(406);
    expect(pending('web')).toBeUndefined();
    expect(allocated('web')).toEqual({ cpu: '4' });
  });

  it('keeps the time of its condition, and renews the generation, when it is deferred again', async () => {
    await harness.until(5.2);
    resize('web', '3');
    await harness.until(8);
    const first = pending('web');
    expect(first).toMatchObject({ observedGeneration: 2, lastProbeTime: first?.lastTransitionTime });
    resize('web', '4');
    await harness.until(12);
    expect(pending('web')).toMatchObject({ observedGeneration: 3, lastTransitionTime: first?.lastTransitionTime });
    expect(events().map((text) => text.split(' ', 1)[0])).toEqual(['ResizeDeferred', 'ResizeDeferred']);
  });

  it('is decided again three minutes after the last decision', async () => {
    await harness.until(5.5);
    resize('web', '3');
    await harness.until(400);
    const decisions = harness.ofType('spanStarted').filter(({ point }) => point === 'kubelet.allocateResize');
    const [first = 0, ...later] = decisions.map(({ time }) => time);
    expect(later.map((time) => (time - first) / 1000)).toEqual([180, 360]);
    expect(triggers()).toEqual(['pod_updated', 'periodic_retry', 'periodic_retry']);
  });

  it('is not decided again when something else of the pod changes', async () => {
    resize('web', '3');
    await harness.until(6);
    const decided = triggers().length;
    const pod = harness.api.pods.get('web') as Pod;
    harness.api.apply({ ...pod, metadata: { ...pod.metadata, labels: { color: 'blue' } } });
    await harness.until(8);
    expect(triggers()).toHaveLength(decided);
  });

  it('is completed by the restart when it arrives while the container is in back-off', async () => {
    const crashing = (cpu: string): Pod['spec'] => {
      const [app] = withCpu('crash', cpu).spec.containers;
      return {
        ...withCpu('crash', cpu).spec,
        containers: [{ name: 'app', ...app, command: ['sh', '-c', 'sleep 1; exit 1'] }],
      };
    };
    harness.api.apply(newPod('crash', crashing('500m')));
    await harness.until(10);
    expect(harness.status('crash').containerStatuses?.[0]?.state?.running).toBeUndefined();
    const pod = harness.api.pods.get('crash') as Pod;
    harness.api.apply({
      ...pod,
      metadata: { ...pod.metadata, generation: 2 },
      spec: { ...pod.spec, ...crashing('250m') },
    });
    await harness.until(40);
    expect(conditions('crash')).toEqual([]);
    expect(events().map((text) => text.split(' ', 1)[0])).toEqual(['ResizeStarted', 'ResizeCompleted']);
    expect(events()[1]).toBe(
      'ResizeCompleted Pod resize completed: {"containers":[{"name":"app",' +
        '"resources":{"limits":{"cpu":"250m"},"requests":{"cpu":"250m"}}}],"generation":2}',
    );
  });

  it('is completed by the sync after the one that changes the container', async () => {
    let completed = 0;
    harness.events.push = (...added) => {
      if (added.some(({ reason }) => reason === 'ResizeCompleted')) completed = harness.log.lastSeq;
      return Array.prototype.push.apply(harness.events, added);
    };
    await harness.until(5.2);
    resize('web', '2');
    await harness.until(9);
    const spans = harness.ofType('spanStarted');
    const action = spans.find(({ point }) => point === 'syncPod.resizePodInPlace')?.seq ?? 0;
    const between = spans.filter(({ seq }) => seq > action && seq < completed);
    expect(action).toBeGreaterThan(0);
    expect(between.filter(({ point }) => point === 'kubelet.SyncPod')).toHaveLength(1);
    // The sync that resizes generates no second status.
    const next = between.find(({ point }) => point === 'kubelet.SyncPod')?.seq ?? 0;
    const phases = harness.ofType('decision').filter(({ rule }) => rule === 'generateAPIPodStatus.phase');
    expect(phases.length).toBeGreaterThan(0);
    expect(phases.filter(({ seq }) => seq > action && seq < next)).toEqual([]);
    expect(conditions('web')).toEqual([]);
  });

  it('is retried once when another pod ends, not at each later status of that pod', async () => {
    // The third pod's CPU keeps the resize deferred after the end of the second pod.
    harness.api.apply(withCpu('other', '1'));
    resize('web', '4');
    await harness.until(6);
    const pod = harness.api.pods.get('db') as Pod;
    for (const message of ['first', 'second', 'third']) {
      harness.api.apply({ ...pod, status: { ...pod.status, phase: 'Failed', message } });
      await harness.clock.settle();
    }
    expect(triggers().filter((trigger) => trigger === 'pod_terminated')).toHaveLength(1);
  });

  it('is retried when the actual requests of another pod have shrunk', async () => {
    resize('web', '4');
    await harness.until(6);
    resize('db', '1');
    await harness.until(20);
    expect(triggers()).toContain('pod_resized');
    expect(conditions('web')).toEqual(['PodResizePending Deferred']);
  });

  it('leaves no condition when the spec returns to the allocated resources', async () => {
    resize('web', '3');
    await harness.until(6);
    resize('web', '1');
    await harness.until(8);
    expect(conditions('web')).toEqual([]);
  });
});

describe('a resize that a restarted kubelet finds', () => {
  let harness: KubeletHarness;

  beforeEach(async () => {
    harness = new KubeletHarness({ simulator: { latencies: {} }, sources: ['api', 'file'] });
    const granted = { requests: { cpu: '1' }, limits: { cpu: '1' } };
    const saved = { 'uid-web': { containers: { app: granted } } };
    await harness.os.mkdirAll('/var/lib/kubelet', 0o750);
    await harness.os.writeFile('/var/lib/kubelet/allocated_pods_state', JSON.stringify(saved), 0o600);
    const condition = { type: 'PodResizePending', status: 'True', reason: 'Infeasible' } as const;
    const pod = withCpu('web', '2');
    harness.api.apply({ ...pod, status: { ...pod.status, phase: 'Running', conditions: [condition] } });
    await harness.start();
  });

  afterEach(() => harness.stop());

  const pending = (): string | undefined =>
    harness.status('web').conditions?.find(({ type }) => type === 'PodResizePending')?.reason;
  const granted = (): unknown => harness.status('web').containerStatuses?.[0]?.allocatedResources;

  it('waits until every source has delivered its pods', async () => {
    await harness.until(20);
    expect([pending(), granted()]).toEqual(['Infeasible', { cpu: '1' }]);
    harness.kubelet.podConfig.set('file', []);
    await harness.until(60);
    expect([pending(), granted()]).toEqual([undefined, { cpu: '2' }]);
  });

  it('loses its condition, even if that was Infeasible, when the spec returns to the granted resources', async () => {
    await harness.until(5);
    const pod = harness.api.pods.get('web') as Pod;
    harness.api.apply({ ...pod, spec: withCpu('web', '1').spec });
    await harness.until(10);
    expect([pending(), granted()]).toEqual([undefined, { cpu: '1' }]);
  });
});

describe('the message of a resize event', () => {
  it('is JSON in the order and with the escapes of Go', () => {
    const pod = newPod('web', {
      initContainers: [{ name: 'init', image: 'busybox:1.36', resources: {} }],
      containers: [
        {
          name: 'app',
          image: 'busybox:1.36',
          resources: {
            requests: { memory: '1024Mi', cpu: '0.5' },
            limits: { cpu: '1000m' },
            claims: [{ name: 'gpu' }],
          },
        },
      ],
    });
    expect(describeResize(pod, 2, 'a <b> & c')).toBe(
      '{"initContainers":[{"name":"init","resources":{}}],"containers":[{"name":"app","resources":{' +
        '"limits":{"cpu":"1"},"requests":{"cpu":"500m","memory":"1Gi"},"claims":[{"name":"gpu"}]}}],' +
        '"generation":2,"error":"a \\u003cb\\u003e \\u0026 c"}',
    );
  });
});
