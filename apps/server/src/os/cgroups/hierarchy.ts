/** What both versions of cgroups can do for a pod. Paths are literal cgroup parents. */
import type { PodCgroupConfig } from '@podscope/kuberuntime';

export interface CgroupHierarchy {
  /** Every directory that a cgroup is on this machine. */
  directories(path: string): readonly string[];
  exists(path: string): Promise<boolean>;
  /** Makes it, with its parents. */
  create(path: string): Promise<void>;
  /** Writes the members that are there; 0 means no limit. */
  write(path: string, config: PodCgroupConfig): Promise<void>;
  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /** Bytes. */
  memoryUsage(path: string): Promise<number | undefined>;
  /** Names of the cgroups directly below. */
  children(path: string): Promise<readonly string[]>;
}
