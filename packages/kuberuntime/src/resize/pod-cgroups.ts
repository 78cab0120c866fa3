/** Defines how a resize reads and writes pod cgroups. Upstream: cm.PodContainerManager (v1.36). */
import type { Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';

/**
 * CPU shares, CPU quota and memory limit of a pod's cgroup. After reading, an absent member means that the cgroup has
 * no such limit. When writing, an absent member leaves the cgroup's value unchanged.
 */
export interface PodCgroupConfig {
  readonly cpuShares?: number;
  readonly cpuQuota?: number;
  readonly cpuPeriod?: number;
  /** The memory limit in bytes; -1 for no limit. */
  readonly memory?: number;
}

export interface PodCgroups {
  /**
   * Returns the current configuration.
   * @throws Error when it can't be read
   */
  getPodCgroupConfig(ctx: Context, pod: Pod, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /**
   * Writes the members that are present.
   * @throws Error when they can't be written
   */
  setPodCgroupConfig(ctx: Context, pod: Pod, config: PodCgroupConfig): Promise<void>;
  /**
   * Returns the current memory usage of the pod, and of its containers by name, in bytes; undefined for an unknown
   * usage.
   * @throws Error when it can't be read
   */
  memoryUsage(
    ctx: Context,
    pod: Pod,
  ): Promise<{ readonly pod: number | undefined; readonly containers: Readonly<Record<string, number>> }>;
}
