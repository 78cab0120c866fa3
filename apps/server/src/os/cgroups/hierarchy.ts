/**
 * Declares the operations that both cgroup versions implement. A path is the literal name of a cgroup parent, such as
 * `/kubepods/burstable`.
 */
import type { PodCgroupConfig } from '@podscope/kuberuntime';

export interface CgroupHierarchy {
  /** Returns the directories of a cgroup: one in version 2, one per controller in version 1. */
  directories(path: string): readonly string[];
  exists(path: string): Promise<boolean>;
  /** Creates a cgroup with its parents. */
  create(path: string): Promise<void>;
  /** Writes the values that are set. The value 0 means no limit. */
  write(path: string, config: PodCgroupConfig): Promise<void>;
  /**
   * Removes a cgroup without processes.
   * @throws Error if the cgroup still exists afterwards
   */
  remove(path: string): Promise<void>;
  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /** Returns the memory usage in bytes. */
  memoryUsage(path: string): Promise<number | undefined>;
  /** Returns the names of the direct children. */
  children(path: string): Promise<readonly string[]>;
}
