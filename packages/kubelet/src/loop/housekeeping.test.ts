/** Tests housekeeping and garbage collection of v1.36. */
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, type KubeletHarnessOptions, newPod } from '../testing/kubelet-harness.ts';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';

let harness: KubeletHarness;

async function start(
  options: KubeletHarnessOptions = {},
  prepare: (harness: KubeletHarness) => unknown = () => undefined,
): Promise<void> {
  harness = new KubeletHarness(options);
  await prepare(harness);
  await harness.start();
}

afterEach(() => harness.stop());

const sweeps = (): readonly string[] => {
  const [first] = harness.log.after(0);
  const begin = harness.clock.now() - harness.now * 1000;
  return harness
    .ofType('spanStarted')
    .filter(({ point }) => point === 'kubelet.HandlePodCleanups')
    .map(
      ({ time, attributes }) =>
        `${(time - (first ? begin : 0)) / 1000} ${(attributes['cleanups'] as readonly string[]).join(', ')}`,
    );
};
const podDir = (uid: string): string => `/var/lib/kubelet/pods/${uid}`;

describe('housekeeping', () => {
  it('removes the directory of an unknown pod two seconds after the start', async () => {
    await start({}, ({ os }) => os.mkdirAll(`${podDir('old')}/volumes`, 0o750));
    await harness.until(1.9);
    expect(await harness.os.exists(podDir('old'))).toBe(true);
    await harness.until(2.1);
    expect(await harness.os.exists(podDir('old'))).toBe(false);
    expect(sweeps()).toEqual(['2 directory of pod old']);
  });

  it('stops a running pod that no source has, within a second of grace', async () => {
    await start({}, ({ runtime }) => runtime.addRunningContainer('u9', 'stray', 'default', 'app'));
    await harness.until(5);
    expect(sweeps()[0]).toBe('2 orphaned running pod stray');
    expect(harness.runtime.calls.filter((call) => call.includes('kill'))).toEqual(['2.0 kill stray_default grace=1']);
  });

  it('updates the cgroups of the QoS classes after it has stopped a pod that no source has', async () => {
    await start({ cgroups: new MemoryCgroups() }, ({ runtime }) =>
      runtime.addRunningContainer('u9', 'stray', 'default', 'app'),
    );
    await harness.until(2.5);
    const [stop] = harness.ofType('spanStarted').filter(({ point }) => point === 'kubelet.SyncTerminatingRuntimePod');
    const updates = harness.ofType('decision').filter(({ rule }) => rule === 'cgroups.updateQOS');
    expect(updates.map(({ span }) => span)).toContain(stop?.span);
  });

  it('removes the cgroup of a pod that can’t run and keeps those of other pods', async () => {
    const cgroups = new MemoryCgroups();
    cgroups.groups.set('/kubepods/besteffort/podold', {});
    await start({ cgroups });
    harness.api.apply(newPod('web'));
    await harness.until(5);
    expect(cgroups.destroyed).toEqual(['/kubepods/besteffort/podold']);
    expect([...cgroups.groups.keys()]).toContain('/kubepods/besteffort/poduid-web');
  });

  it('keeps the cgroup of a finished pod, with the smallest CPU weight, while its volume is mounted', async () => {
    const cgroups = new MemoryCgroups();
    await start({ cgroups });
    const resources = { requests: { cpu: '500m' } };
    const volumeMounts = [{ name: 'cache', mountPath: '/cache' }];
    const containers = [{ name: 'app', image: 'busybox:1.36', resources, volumeMounts }];
    harness.api.apply(newPod('web', { containers, volumes: [{ name: 'cache', emptyDir: {} }] }));
    await harness.until(5);
    const path = '/kubepods/burstable/poduid-web';
    expect(cgroups.groups.get(path)?.cpuShares).toBe(512);
    const removeAll = harness.os.removeAll.bind(harness.os);
    harness.os.removeAll = (target) =>
      target.includes('/volumes/') ? Promise.reject(new Error('device busy')) : removeAll(target);
    harness.api.delete('web', 1);
    await harness.until(20);
    expect(cgroups.destroyed).toEqual([]);
    expect(cgroups.groups.get(path)?.cpuShares).toBe(2);
    expect(sweeps().filter((sweep) => sweep.endsWith('cgroup of pod uid-web with volumes'))).toHaveLength(1);
    harness.os.removeAll = removeAll;
    await harness.until(60);
    expect(cgroups.destroyed).toEqual([path]);
  });

  it('does nothing before every source has sent its pods', async () => {
    await start({ sources: ['api', 'file'] }, ({ runtime }) =>
      runtime.addRunningContainer('u9', 'stray', 'default', 'app'),
    );
    await harness.until(11);
    expect(sweeps()).toEqual([]);
    harness.kubelet.podConfig.set('file', []);
    await harness.until(12.5);
    expect(sweeps()).toEqual(['12 orphaned running pod stray']);
  });

  it('deletes a mirror pod without its static pod', async () => {
    const annotations = {
      'kubernetes.io/config.mirror': 'h',
      'kubernetes.io/config.source': 'api',
      'kubernetes.io/config.hash': 'h',
    };
    await start();
    harness.api.apply(newPod('left-node-1', {}, { annotations }));
    await harness.until(3);
    expect(sweeps()).toEqual(['2 mirror pod left-node-1']);
    expect(harness.api.pods.has('left-node-1')).toBe(false);
  });

  it('starts a pod that was created again with the same UID after the old one has ended', async () => {
    await start({ sources: ['api', 'file'] }, ({ runtime }) => runtime.scripts.set('app', { stopAfterMs: 2500 }));
    const annotations = { 'kubernetes.io/config.hash': 'h' };
    const pod = newPod('web', {}, { annotations, creationTimestamp: undefined });
    harness.kubelet.podConfig.set('file', [pod]);
    await harness.until(3);
    harness.kubelet.podConfig.set('file', []);
    await harness.until(3.5);
    harness.kubelet.podConfig.set('file', [pod]);
    await harness.until(20);
    expect(sweeps().some((sweep) => sweep.endsWith('restarted static pod web'))).toBe(true);
    const starts = harness.runtime.calls.filter((call) => call.endsWith('start app'));
    expect(starts).toHaveLength(2);
    expect(Number.parseFloat(starts[1] ?? '')).toBeGreaterThan(5.5);
  });

  it('stops at a failed listing of the runtime and completes at the next pass', async () => {
    await start({}, ({ runtime }) => {
      runtime.addRunningContainer('u9', 'stray', 'default', 'app');
    });
    await harness.until(1.5);
    harness.runtime.listError = new Error('no list');
    await harness.until(3);
    expect(sweeps()).toEqual([]);
    harness.runtime.listError = undefined;
    await harness.until(4.5);
    expect(sweeps()).toEqual(['4 orphaned running pod stray']);
  });
});

describe('garbage collection', () => {
  it('runs at the start and every minute with the release’s policy, and reports each failure', async () => {
    const runs: unknown[] = [];
    let failure: Error | undefined;
    await start({}, ({ runtime }) => {
      runtime.garbageCollect = async (_ctx, policy, allSourcesReady, evict) => {
        runs.push([harness.now, policy, allSourcesReady, evict]);
        if (failure) throw failure;
      };
    });
    const policy = { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 };
    await harness.until(121);
    expect(runs).toEqual([
      [0, policy, false, false],
      [60, policy, true, false],
      [120, policy, true, false],
    ]);
    failure = new Error('busy');
    await harness.until(301);
    failure = undefined;
    await harness.until(361);
    failure = new Error('busy again');
    await harness.until(421);
    expect(
      harness.nodeEvents.filter(({ reason }) => reason === 'ContainerGCFailed').map(({ at, message }) => [at, message]),
    ).toEqual([
      [180, 'busy'],
      [240, 'busy'],
      [300, 'busy'],
      [420, 'busy again'],
    ]);
  });
});
