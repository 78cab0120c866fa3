import type { Pod, Volume } from '@podscope/k8s';
import { background, Tracer, VirtualClock, withSignal } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { VolumeStats } from './volume-stats.ts';

describe('VolumeStats', () => {
  let clock: VirtualClock;
  let pods: Pod[];
  let size: number;
  /** The measured directories, each with the time in seconds since the start. */
  let measured: string[];
  let mounted: boolean;
  let stats: VolumeStats;
  let stop: AbortController;
  let running: Promise<void>;

  beforeEach(() => {
    clock = new VirtualClock();
    const start = clock.now();
    pods = [];
    size = 100;
    measured = [];
    mounted = true;
    stats = new VolumeStats({
      os: {
        diskUsage: async (path) => {
          measured.push(`${(clock.now() - start) / 1000} ${path}`);
          return size;
        },
      },
      pods: () => pods,
      mountedVolumes: (uid) => {
        const volumes = pods.find(({ metadata }) => metadata.uid === uid)?.spec.volumes ?? [];
        const mount = (name: string) => ({ hostPath: `/${uid}/${name}`, readOnly: false, managed: true });
        return new Map(mounted ? volumes.map(({ name }) => [name, mount(name)]) : []);
      },
      random: () => 0.5,
    });
    stop = new AbortController();
    running = stats.run(withSignal(background(clock, new Tracer()), stop.signal));
  });
  afterEach(() => {
    stop.abort();
    return running;
  });

  const cache: Volume = { name: 'cache', emptyDir: { sizeLimit: '1Ki' } };

  it('measures a new pod at the next full minute, and then every one to two minutes', async () => {
    await clock.advance(5000);
    pods = [newPod('web', { volumes: [cache] })];
    await clock.advance(54_999);
    expect([measured, stats.usedBytes('uid-web', 'cache')]).toEqual([[], 0]);
    await clock.advance(1);
    expect(stats.usedBytes('uid-web', 'cache')).toBe(100);
    size = 200;
    await clock.advance(89_999);
    expect(stats.usedBytes('uid-web', 'cache')).toBe(100);
    await clock.advance(1);
    expect(stats.usedBytes('uid-web', 'cache')).toBe(200);
    expect(measured).toEqual(['60 /uid-web/cache', '150 /uid-web/cache']);
  });

  it('keeps the last size of a pod whose volumes are unmounted, until the pod is gone', async () => {
    pods = [newPod('web', { volumes: [cache] })];
    await clock.advance(60_000);
    mounted = false;
    await clock.advance(100_000);
    expect(stats.usedBytes('uid-web', 'cache')).toBe(100);
    pods = [];
    await clock.advance(60_000);
    expect(stats.usedBytes('uid-web', 'cache')).toBe(0);
  });

  it('measures only volumes on disk that can cause an eviction', async () => {
    const volumes: readonly Volume[] = [
      cache,
      { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Ki' } },
      { name: 'unlimited', emptyDir: {} },
      { name: 'settings', configMap: { name: 'settings' } },
      { name: 'host', hostPath: { path: '/' } },
    ];
    const resources = { limits: { 'ephemeral-storage': '1Gi' } };
    pods = [
      newPod('volumes', { volumes }),
      newPod('total', { volumes, containers: [{ name: 'app', image: 'busybox', resources }] }),
    ];
    await clock.advance(60_000);
    expect(measured).toEqual([
      '60 /uid-volumes/cache',
      '60 /uid-total/cache',
      '60 /uid-total/unlimited',
      '60 /uid-total/settings',
    ]);
  });
});
