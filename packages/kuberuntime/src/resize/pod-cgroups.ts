/** The cgroups of pods, as a resize reads and writes them. Upstream: cm.PodContainerManager (v1.36). */
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';

/** CPU weight and quota, and memory, of a pod's cgroup. A missing member is not set, or not to be written. */
export interface PodCgroupConfig {
  readonly cpuShares?: number;
  readonly cpuQuota?: number;
  readonly cpuPeriod?: number;
  /** Bytes; -1 for no limit. */
  readonly memory?: number;
}

export interface PodCgroups {
  /** What is in force. @throws Error when it can't be read */
  getPodCgroupConfig(ctx: Context, pod: Pod, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /** Writes the members that are there. @throws Error when it can't be written */
  setPodCgroupConfig(ctx: Context, pod: Pod, config: PodCgroupConfig): Promise<void>;
  /** Bytes that the pod and its containers (by name) use now; undefined where nothing is known. @throws Error when it can't be read */
  memoryUsage(ctx: Context, pod: Pod): Promise<{ readonly pod: number | undefined; readonly containers: Readonly<Record<string, number>> }>;
}
