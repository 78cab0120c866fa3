/**
 * Measures volumes about once a minute; the eviction reads the last sizes. Only volumes that can cause an eviction are
 * measured: the others have no reader. Upstream: fsResourceAnalyzer, volumeStatCalculator (pkg/kubelet/server/stats,
 * v1.36 and v1.20).
 */
import { type Pod, podLimits, type Volume } from '@podscope/k8s';
import type { OSInterface } from '@podscope/kuberuntime';
import { addMilliseconds, type Context, type Instant, type Milliseconds } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import type { MountedVolume } from '../volumes/actual-state-of-world.ts';

/** The name of the resource in limits. */
export const ephemeralStorage = 'ephemeral-storage';

/** Upstream: volumeStatsAggPeriod. */
const period: Milliseconds = 60_000;

export interface VolumeStatsDependencies {
  readonly os: Pick<OSInterface, 'diskUsage'>;
  readonly pods: () => readonly Pod[];
  readonly mountedVolumes: (uid: string) => ReadonlyMap<string, MountedVolume>;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

interface Entry {
  readonly volumes: readonly string[];
  /** The time of the next measurement. */
  due: Instant;
  /** The sizes by the names of the volumes, in bytes. */
  bytes: ReadonlyMap<string, number>;
}

export class VolumeStats {
  readonly #dependencies: VolumeStatsDependencies;
  #entries: ReadonlyMap<string, Entry> = new Map();

  constructor(dependencies: VolumeStatsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the last size of a volume, in bytes; 0 before the first measurement. */
  usedBytes(uid: string, volume: string): number {
    return this.#entries.get(uid)?.bytes.get(volume) ?? 0;
  }

  /**
   * Looks for new pods once a minute until the context is aborted. Measures a new pod at once, and then one to two
   * minutes after each measurement. Does nothing if the system can't measure directories.
   */
  async run(ctx: Context): Promise<void> {
    if (!this.#dependencies.os.diskUsage) return;
    let nextSearch = ctx.clock.now();
    while (!ctx.signal.aborted) {
      if (ctx.clock.now() >= nextSearch) {
        this.#updatePods(ctx.clock.now());
        nextSearch = addMilliseconds(ctx.clock.now(), period);
      }
      for (const [uid, entry] of this.#entries) {
        if (entry.due > ctx.clock.now()) continue;
        await this.#measure(uid, entry);
        entry.due = addMilliseconds(ctx.clock.now(), period * (1 + this.#dependencies.random()));
      }
      const dues = [...this.#entries.values()].map(({ due }) => due);
      await pause(ctx, Math.min(nextSearch, ...dues) - ctx.clock.now());
    }
  }

  /** Adds new pods and forgets deleted pods. Upstream: updateCachedPodVolumeStats. */
  #updatePods(due: Instant): void {
    const entries = new Map<string, Entry>();
    for (const pod of this.#dependencies.pods()) {
      const { uid } = pod.metadata;
      const volumes = measuredVolumes(pod).map(({ name }) => name);
      if (volumes.length > 0) entries.set(uid, this.#entries.get(uid) ?? { volumes, due, bytes: new Map() });
    }
    this.#entries = entries;
  }

  /** A pod without mounted volumes keeps its sizes. Upstream: calcAndStoreStats. */
  async #measure(uid: string, entry: Entry): Promise<void> {
    const { os, mountedVolumes } = this.#dependencies;
    const mounted = mountedVolumes(uid);
    if (mounted.size === 0) return;
    const sizes = entry.volumes.map(async (name): Promise<readonly [string, number]> => {
      const path = mounted.get(name)?.hostPath;
      return [name, path === undefined ? 0 : await bytesBelow(os, path)];
    });
    entry.bytes = new Map(await Promise.all(sizes));
  }
}

/** Returns the size limit of a volume on disk; undefined for a volume in memory, whose limit the kernel enforces. */
export const sizeLimitOf = ({ emptyDir }: Volume): string | number | undefined =>
  emptyDir?.medium ? undefined : emptyDir?.sizeLimit;

/** Returns the volumes that count as ephemeral storage. Upstream: isVolumeEphemeral. */
export const ephemeralVolumes = ({ spec }: Pod): readonly Volume[] =>
  (spec.volumes ?? []).filter(({ emptyDir, configMap }) => (emptyDir && !emptyDir.medium) || configMap);

const measuredVolumes = (pod: Pod): readonly Volume[] =>
  podLimits(pod).has(ephemeralStorage)
    ? ephemeralVolumes(pod)
    : (pod.spec.volumes ?? []).filter((volume) => sizeLimitOf(volume) !== undefined);

/** Returns the bytes below a directory. A directory that is gone counts as empty. */
export const bytesBelow = async (os: Pick<OSInterface, 'diskUsage'>, path: string): Promise<number> =>
  (await os.diskUsage?.(path).catch(() => 0)) ?? 0;
