/**
 * Tests the kubelet of v1.20 on the simulated runtime: its workers, statuses, removal and housekeeping, with exact
 * times.
 */
import { kubeletSyncPodPointsV120 } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, type KubeletHarnessOptions, newPod } from './testing/kubelet-harness.ts';
import { MemoryCgroups } from './testing/memory-cgroups.ts';

let harness: KubeletHarness;

async function start(options: KubeletHarnessOptions = {}): Promise<void> {
  harness = new KubeletHarness({ profile: 'v1.20', simulator: { latencies: {} }, ...options });
  await harness.start();
}

afterEach(() => harness.stop());

const container = (command: string, more: object = {}) => ({
  name: 'app',
  image: 'busybox:1.36',
  command: ['sh', '-c', command],
  ...more,
});
const app = () => harness.status('web').containerStatuses?.[0];
const events = (): string[] =>
  harness.events.map(({ at, reason, message }) => `${Math.floor(at)} ${reason} ${message}`);
const staticPod = (spec: Partial<Pod['spec']>): Pod =>
  newPod('web', spec, { creationTimestamp: undefined, annotations: { 'kubernetes.io/config.hash': 'uid-web' } });
const steps = (): string[] =>
  harness
    .ofType('spanStarted')
    .filter(({ point }) => point.startsWith('kubelet.syncPod.'))
    .map(({ point }) => point.replace('kubelet.syncPod.', ''));

describe('a sync', () => {
  it('runs the steps of v1.20 in order, with the messages of v1.20', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await harness.until(0.5);
    const order = Object.keys(kubeletSyncPodPointsV120).filter((step) => step !== 'reconcileMirrorPod');
    expect(steps().slice(0, order.length)).toEqual(order);
    expect(events().filter((text) => !text.includes('ClusterDNS'))).toEqual([
      '0 Pulled Container image "busybox:1.36" already present on machine',
      '0 Created Created container app',
      '0 Started Started container app',
    ]);
  });

  it('shows a started pod as Pending until the next relist', async () => {
    await start();
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await harness.until(0.9);
    expect(harness.status('web').phase).toBe('Pending');
    await harness.until(2.1);
    expect(harness.status('web')).toMatchObject({ phase: 'Running', qosClass: 'BestEffort' });
    expect(harness.status('web').conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
  });

  it('blocks a pod that fails soft admission, and evaluates it again at the next sync', async () => {
    await start({ random: () => 0 });
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/app': 'nonsense' };
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }, { annotations }));
    await harness.until(1);
    expect(app()?.state).toEqual({ waiting: { reason: 'Blocked' } });
    expect(harness.status('web')).toMatchObject({ phase: 'Pending', reason: 'AppArmor' });
    await harness.until(12);
    expect(harness.ofType('decision').filter(({ rule }) => rule === 'syncPod.canRunPod')).toHaveLength(2);
  });
});

describe.each([
  ['NoNewPrivs', { allowPrivilegeEscalation: false }, '1.22', '1.23'],
  ['ProcMount', { procMount: 'Unmasked' }, '1.37', '1.38'],
])('a pod that needs %s', (reason, securityContext, tooOld, minimum) => {
  const pod = () => newPod('web', { containers: [container('sleep 3600', { securityContext })] });

  it(`is Blocked on an engine with the API ${tooOld}`, async () => {
    await start({ simulator: { latencies: {}, engineApiVersion: tooOld } });
    harness.api.apply(pod());
    await harness.until(5);
    expect(app()?.state).toEqual({ waiting: { reason: 'Blocked' } });
    expect(harness.status('web')).toMatchObject({
      phase: 'Pending',
      reason,
      message:
        `Cannot enforce ${reason}: docker runtime API version "${tooOld}.0" must be greater than or equal to ` +
        minimum,
    });
    expect(events()).not.toContain('0 Started Started container app');
  });

  it.each([minimum, undefined])('runs on an engine with the API %s', async (engineApiVersion) => {
    await start({ simulator: { latencies: {}, ...(engineApiVersion && { engineApiVersion }) } });
    harness.api.apply(pod());
    await harness.until(5);
    expect(harness.status('web').phase).toBe('Running');
  });
});

describe('a crash loop', () => {
  it('restarts at once, then after at least 10 and 20 s, at the next sync', async () => {
    await start({ random: () => 0 });
    harness.api.apply(newPod('web', { containers: [container('exit 1')] }));
    await harness.until(100);
    const starts = harness.events.filter(({ reason }) => reason === 'Started').map(({ at }) => Math.round(at));
    // The first restart has no back-off. Each later sync follows 10 to 11 s after the previous one.
    expect(starts[1]).toBeLessThanOrEqual(2);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    expect(gaps[1]).toBeGreaterThanOrEqual(10);
    expect(gaps[1]).toBeLessThanOrEqual(13);
    expect(gaps[2]).toBeGreaterThanOrEqual(20);
    expect(gaps[2]).toBeLessThanOrEqual(34);
    expect(app()?.state?.waiting).toMatchObject({ reason: 'CrashLoopBackOff' });
    expect(
      harness.events
        .filter(({ reason }) => reason === 'BackOff')
        .every(({ message }) => message === 'Back-off restarting failed container'),
    ).toBe(true);
  });
});

describe('deletion through the API', () => {
  it('kills the pod in syncPod and removes the object when the PLEG finds no container or sandbox of it', async () => {
    await start();
    harness.api.apply(
      newPod('web', {
        terminationGracePeriodSeconds: 5,
        containers: [container('trap "exit 0" TERM; while :; do sleep 1; done')],
      }),
    );
    await harness.until(3);
    harness.api.delete('web');
    await harness.until(4);
    expect(events()).toContain('3 Killing Stopping container app');
    await harness.until(40);
    expect(harness.api.pods.has('web')).toBe(false);
    const killed = harness
      .ofType('decision')
      .filter(({ rule, outcome }) => rule === 'syncPod.killUnrunnable' && outcome === true);
    expect(killed.length).toBeGreaterThan(0);
  });
});

describe('removal of a static pod', () => {
  const options = (cgroups: MemoryCgroups): KubeletHarnessOptions => ({
    standalone: true,
    sources: ['api', 'file'],
    cgroups,
  });

  it('lets the pod killer stop the pod and housekeeping remove the cgroup of a pod without volumes', async () => {
    const cgroups = new MemoryCgroups();
    await start(options(cgroups));
    harness.kubelet.podConfig.set('file', [staticPod({ containers: [container('sleep 3600')] })]);
    await harness.until(5);
    expect([...cgroups.groups.keys()]).toContain('/kubepods/besteffort/poduid-web');
    harness.kubelet.podConfig.set('file', []);
    await harness.until(5.2);
    expect(events()).toContain('5 Killing Stopping container app');
    expect(harness.kubelet.podManager.getPods()).toEqual([]);
    await harness.until(7);
    expect(cgroups.destroyed).toEqual(['/kubepods/besteffort/poduid-web']);
  });

  it('keeps the cgroup of a pod with a volume during its grace period', async () => {
    const cgroups = new MemoryCgroups();
    await start(options(cgroups));
    const volumes = [{ name: 'scratch', emptyDir: {} }];
    const spec = {
      volumes,
      terminationGracePeriodSeconds: 8,
      containers: [
        container('trap "" TERM; while :; do sleep 1; done', { volumeMounts: [{ name: 'scratch', mountPath: '/s' }] }),
      ],
    };
    harness.kubelet.podConfig.set('file', [staticPod(spec)]);
    await harness.until(5);
    harness.kubelet.podConfig.set('file', []);
    await harness.until(12);
    expect(cgroups.destroyed).toEqual([]);
    expect(cgroups.groups.get('/kubepods/besteffort/poduid-web')).toMatchObject({ cpuShares: 2 });
    await harness.until(16);
    expect(cgroups.destroyed).toEqual(['/kubepods/besteffort/poduid-web']);
    expect(await harness.os.exists('/var/lib/kubelet/pods/uid-web')).toBe(false);
  });
});

describe('pod workers', () => {
  it('handle only the last of the updates that arrive during a sync', async () => {
    await start({ simulator: { latencies: { startContainer: 3000 } } as never });
    harness.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await harness.until(1);
    for (const version of ['1', '2', '3']) {
      const pod = harness.api.pods.get('web') as Pod;
      harness.api.apply({ ...pod, metadata: { ...pod.metadata, labels: { version } } });
      await harness.until(1 + Number(version) / 10);
    }
    await harness.until(2);
    expect(harness.ofType('spanStarted').filter(({ point }) => point === 'kubelet.SyncPod').length).toBeLessThanOrEqual(
      3,
    );
  });
});
