/** Keeps pod cgroups in memory, for tests. */
import type { PodCgroupConfig } from '@podscope/kuberuntime';
import type { CgroupManager } from '../dependencies.ts';

/** Stores cgroups by path and records the destroyed ones. */
export class MemoryCgroups implements CgroupManager {
  readonly groups = new Map<string, PodCgroupConfig>();
  readonly destroyed: string[] = [];
  /** Kills the processes of a cgroup. Called when the cgroup is destroyed. */
  onDestroy: (path: string) => Promise<void> = () => Promise.resolve();

  async exists(path: string): Promise<boolean> {
    return this.groups.has(path);
  }

  async create(path: string, config: PodCgroupConfig): Promise<void> {
    this.groups.set(path, config);
  }

  async update(path: string, config: PodCgroupConfig): Promise<void> {
    this.groups.set(path, { ...this.groups.get(path), ...config });
  }

  async read(path: string): Promise<PodCgroupConfig> {
    return this.groups.get(path) ?? {};
  }

  async memoryUsage(): Promise<{ readonly total: number; readonly children: Readonly<Record<string, number>> }> {
    return { total: 0, children: {} };
  }

  async destroy(path: string): Promise<void> {
    if (!this.groups.delete(path)) return;
    this.destroyed.push(path);
    await this.onDestroy(path);
  }

  async pods(): Promise<ReadonlyMap<string, string>> {
    return new Map(
      [...this.groups.keys()].flatMap((path): [string, string][] =>
        path.includes('/pod') ? [[path.slice(path.lastIndexOf('/pod') + 4), path]] : [],
      ),
    );
  }
}
