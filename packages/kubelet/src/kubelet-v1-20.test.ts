/** The kubelet of v1.20 on the simulated runtime: its own workers, statuses, removal and housekeeping, with exact times. */
import type { Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { syncPodKubeletStepsV120 } from './points.ts';
import { Bench, type BenchOptions, newPod } from './testing/bench.ts';
import { MemoryCgroups } from './testing/memory-cgroups.ts';

let bench: Bench;

async function start(options: BenchOptions = {}): Promise<void> {
  bench = new Bench({ profile: 'v1.20', simulator: { latencies: {} }, ...options });
  await bench.start();
}

afterEach(() => bench.stop());

const container = (command: string, more: object = {}) => ({ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', command], ...more });
const app = () => bench.status('web').containerStatuses?.[0];
const events = (): string[] => bench.events.map(({ at, reason, message }) => `${Math.floor(at)} ${reason} ${message}`);
const staticPod = (spec: Partial<Pod['spec']>): Pod =>
  newPod('web', spec, { creationTimestamp: undefined, annotations: { 'kubernetes.io/config.hash': 'uid-web' } });
const steps = (): string[] =>
  bench
    .ofType('spanStarted')
    .filter(({ point }) => point.startsWith('kubelet.syncPod.'))
    .map(({ point }) => point.replace('kubelet.syncPod.', ''));

describe('a pass of syncPod', () => {
  it("takes the release's steps in their order", async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await bench.until(0.5);
    const order = Object.keys(syncPodKubeletStepsV120).filter((step) => step !== 'reconcileMirrorPod');
    expect(steps().slice(0, order.length)).toEqual(order);
    expect(events().filter((text) => !text.includes('ClusterDNS'))).toEqual([
      '0 Pulled Container image "busybox:1.36" already present on machine',
      '0 Created Created container app',
      '0 Started Started container app',
    ]);
  });

  it('waits for the next relist before it shows a pod as running', async () => {
    await start();
    bench.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await bench.until(0.9);
    expect(bench.status('web').phase).toBe('Pending');
    await bench.until(2.1);
    expect(bench.status('web')).toMatchObject({ phase: 'Running', qosClass: 'BestEffort' });
    expect(bench.status('web').conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
  });

  it('blocks a pod that may not run, and asks again', async () => {
    await start({ random: () => 0 });
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/app': 'nonsense' };
    bench.api.apply(newPod('web', { containers: [container('sleep 3600')] }, { annotations }));
    await bench.until(1);
    expect(app()?.state).toEqual({ waiting: { reason: 'Blocked' } });
    expect(bench.status('web')).toMatchObject({ phase: 'Pending', reason: 'AppArmor' });
    await bench.until(12);
    expect(bench.ofType('decision').filter(({ rule }) => rule === 'syncPod.canRunPod')).toHaveLength(2);
  });
});

describe('a crash loop', () => {
  it('restarts at once, then waits 10, 20, 40 s on the grid of looks', async () => {
    await start({ random: () => 0 });
    bench.api.apply(newPod('web', { containers: [container('exit 1')] }));
    await bench.until(100);
    const starts = bench.events.filter(({ reason }) => reason === 'Started').map(({ at }) => Math.round(at));
    // The first restart needs no back-off; then each look comes 10 to 11 s after the one before.
    expect(starts[1]).toBeLessThanOrEqual(2);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    expect(gaps[1]).toBeGreaterThanOrEqual(10);
    expect(gaps[1]).toBeLessThanOrEqual(13);
    expect(gaps[2]).toBeGreaterThanOrEqual(20);
    expect(gaps[2]).toBeLessThanOrEqual(34);
    expect(app()?.state?.waiting).toMatchObject({ reason: 'CrashLoopBackOff' });
    expect(bench.events.filter(({ reason }) => reason === 'BackOff').every(({ message }) => message === 'Back-off restarting failed container')).toBe(true);
  });
});

describe('deletion through the API', () => {
  it('kills in syncPod, waits for the PLEG, and lets the object go when nothing is left', async () => {
    await start();
    bench.api.apply(newPod('web', { terminationGracePeriodSeconds: 5, containers: [container('trap "exit 0" TERM; while :; do sleep 1; done')] }));
    await bench.until(3);
    bench.api.delete('web');
    await bench.until(4);
    expect(events()).toContain('3 Killing Stopping container app');
    await bench.until(40);
    expect(bench.api.pods.has('web')).toBe(false);
    const killed = bench.ofType('decision').filter(({ rule, outcome }) => rule === 'syncPod.killUnrunnable' && outcome === true);
    expect(killed.length).toBeGreaterThan(0);
  });
});

describe('removal of a static pod', () => {
  const options = (cgroups: MemoryCgroups): BenchOptions => ({ standalone: true, sources: ['api', 'file'], cgroups });

  it('hands what runs to the pod killer at once; without volumes its cgroup ends it at the next housekeeping', async () => {
    const cgroups = new MemoryCgroups();
    await start(options(cgroups));
    bench.kubelet.podConfig.set('file', [staticPod({ containers: [container('sleep 3600')] })]);
    await bench.until(5);
    expect([...cgroups.groups.keys()]).toContain('/kubepods/besteffort/poduid-web');
    bench.kubelet.podConfig.set('file', []);
    await bench.until(5.2);
    expect(events()).toContain('5 Killing Stopping container app');
    expect(bench.kubelet.podManager.getPods()).toEqual([]);
    await bench.until(7);
    expect(cgroups.destroyed).toEqual(['/kubepods/besteffort/poduid-web']);
  });

  it('leaves the grace period to a pod with a volume', async () => {
    const cgroups = new MemoryCgroups();
    await start(options(cgroups));
    const volumes = [{ name: 'scratch', emptyDir: {} }];
    const spec = {
      volumes,
      terminationGracePeriodSeconds: 8,
      containers: [container('trap "" TERM; while :; do sleep 1; done', { volumeMounts: [{ name: 'scratch', mountPath: '/s' }] })],
    };
    bench.kubelet.podConfig.set('file', [staticPod(spec)]);
    await bench.until(5);
    bench.kubelet.podConfig.set('file', []);
    await bench.until(12);
    expect(cgroups.destroyed).toEqual([]);
    expect(cgroups.groups.get('/kubepods/besteffort/poduid-web')).toMatchObject({ cpuShares: 2 });
    await bench.until(16);
    expect(cgroups.destroyed).toEqual(['/kubepods/besteffort/poduid-web']);
    expect(await bench.os.exists('/var/lib/kubelet/pods/uid-web')).toBe(false);
  });
});

describe('pod workers', () => {
  it('collapse what comes during a pass into the last update', async () => {
    await start({ simulator: { latencies: { startContainer: 3000 } } as never });
    bench.api.apply(newPod('web', { containers: [container('sleep 3600')] }));
    await bench.until(1);
    for (const version of ['1', '2', '3']) {
      const pod = bench.api.pods.get('web') as Pod;
      bench.api.apply({ ...pod, metadata: { ...pod.metadata, labels: { version } } });
      await bench.until(1 + Number(version) / 10);
    }
    await bench.until(2);
    expect(bench.ofType('spanStarted').filter(({ point }) => point === 'kubelet.SyncPod').length).toBeLessThanOrEqual(3);
  });
});
