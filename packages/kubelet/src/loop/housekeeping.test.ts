/** Housekeeping and garbage collection of v1.36: what nobody owns any more goes, at the next even second or minute. */
import { afterEach, describe, expect, it } from 'vitest';
import { Bench, type BenchOptions, newPod } from '../testing/bench.ts';
import { MemoryCgroups } from '../testing/memory-cgroups.ts';

let bench: Bench;

async function start(options: BenchOptions = {}, prepare: (bench: Bench) => unknown = () => undefined): Promise<void> {
  bench = new Bench(options);
  await prepare(bench);
  await bench.start();
}

afterEach(() => bench.stop());

const sweeps = (): readonly string[] => {
  const [first] = bench.log.after(0);
  const begin = bench.clock.now() - bench.now * 1000;
  return bench
    .ofType('spanStarted')
    .filter(({ point }) => point === 'kubelet.HandlePodCleanups')
    .map(({ time, attributes }) => `${(time - (first ? begin : 0)) / 1000} ${(attributes['cleanups'] as readonly string[]).join(', ')}`);
};
const podDir = (uid: string): string => `/var/lib/kubelet/pods/${uid}`;

describe('housekeeping', () => {
  it('removes the directory of a pod that nobody knows, two seconds after the start', async () => {
    await start({}, ({ os }) => os.mkdirAll(`${podDir('old')}/volumes`, 0o750));
    await bench.until(1.9);
    expect(await bench.os.exists(podDir('old'))).toBe(true);
    await bench.until(2.1);
    expect(await bench.os.exists(podDir('old'))).toBe(false);
    expect(sweeps()).toEqual(['2 directory of pod old']);
  });

  it('stops a running pod that no source has, within a second of grace', async () => {
    await start({}, ({ runtime }) => runtime.plant('u9', 'stray', 'default', 'app'));
    await bench.until(5);
    expect(sweeps()[0]).toBe('2 orphaned running pod stray');
    expect(bench.runtime.calls.filter((call) => call.includes('kill'))).toEqual(['2.0 kill stray_default grace=1']);
  });

  it('ends a cgroup of which nothing can run, and leaves those of pods that may', async () => {
    const cgroups = new MemoryCgroups();
    cgroups.groups.set('/kubepods/besteffort/podold', {});
    await start({ cgroups });
    bench.api.apply(newPod('web'));
    await bench.until(5);
    expect(cgroups.destroyed).toEqual(['/kubepods/besteffort/podold']);
    expect([...cgroups.groups.keys()]).toContain('/kubepods/besteffort/poduid-web');
  });

  it('does nothing before every source has spoken', async () => {
    await start({ sources: ['api', 'file'] }, ({ runtime }) => runtime.plant('u9', 'stray', 'default', 'app'));
    await bench.until(11);
    expect(sweeps()).toEqual([]);
    bench.kubelet.podConfig.set('file', []);
    await bench.until(12.5);
    expect(sweeps()).toEqual(['12 orphaned running pod stray']);
  });

  it('deletes a mirror whose static pod is gone', async () => {
    const annotations = { 'kubernetes.io/config.mirror': 'h', 'kubernetes.io/config.source': 'api', 'kubernetes.io/config.hash': 'h' };
    await start();
    bench.api.apply(newPod('left-node-1', {}, { annotations }));
    await bench.until(3);
    expect(sweeps()).toEqual(['2 mirror pod left-node-1']);
    expect(bench.api.pods.has('left-node-1')).toBe(false);
  });

  it('starts a pod again that was deleted and made anew with its UID, once the old one has ended', async () => {
    await start({ sources: ['api', 'file'] }, ({ runtime }) => runtime.scripts.set('app', { stopAfterMs: 2500 }));
    const annotations = { 'kubernetes.io/config.hash': 'h' };
    const pod = newPod('web', {}, { annotations, creationTimestamp: undefined });
    bench.kubelet.podConfig.set('file', [pod]);
    await bench.until(3);
    bench.kubelet.podConfig.set('file', []);
    await bench.until(3.5);
    bench.kubelet.podConfig.set('file', [pod]);
    await bench.until(20);
    expect(sweeps().some((sweep) => sweep.endsWith('restarted static pod web'))).toBe(true);
    const starts = bench.runtime.calls.filter((call) => call.endsWith('start app'));
    expect(starts).toHaveLength(2);
    expect(Number.parseFloat(starts[1] ?? '')).toBeGreaterThan(5.5);
  });

  it('fails as a whole when the runtime can’t be listed, and the next one does it', async () => {
    await start({}, ({ runtime }) => {
      runtime.plant('u9', 'stray', 'default', 'app');
    });
    await bench.until(1.5);
    bench.runtime.listError = new Error('no list');
    await bench.until(3);
    expect(sweeps()).toEqual([]);
    bench.runtime.listError = undefined;
    await bench.until(4.5);
    expect(sweeps()).toEqual(['4 orphaned running pod stray']);
  });
});

describe('garbage collection', () => {
  it('runs every minute with the release’s policy, and tells once that it fails', async () => {
    await start();
    const runs: unknown[] = [];
    let failure: Error | undefined;
    bench.runtime.garbageCollect = async (_ctx, policy, allSourcesReady, evict) => {
      runs.push([bench.now, policy, allSourcesReady, evict]);
      if (failure) throw failure;
    };
    const policy = { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 };
    await bench.until(121);
    expect(runs).toEqual([
      [60, policy, true, false],
      [120, policy, true, false],
    ]);
    failure = new Error('busy');
    await bench.until(301);
    failure = undefined;
    await bench.until(361);
    failure = new Error('busy again');
    await bench.until(421);
    expect(bench.nodeEvents.filter(({ reason }) => reason === 'ContainerGCFailed').map(({ at, message }) => [at, message])).toEqual([
      [180, 'busy'],
      [420, 'busy again'],
    ]);
  });
});
