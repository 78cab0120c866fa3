/**
 * Manages pod cgroups in cgroup version 1, where each controller has its own hierarchy. Upstream: libcontainer
 * cgroups/fs, as pkg/kubelet/cm uses it.
 */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PodCgroupConfig } from '@podscope/kuberuntime';
import { childCgroups, isDirectory, makeCgroup, readNumber, removeCgroup, writeValue } from './cgroup-files.ts';
import type { CgroupHierarchy } from './hierarchy.ts';

/** The controllers in whose hierarchies a pod's cgroup must exist. If one lacks the cgroup, it counts as missing. */
const required = ['cpu', 'memory', 'pids'];

export class CgroupsV1 implements CgroupHierarchy {
  /** The mount point of each controller. */
  readonly #roots: ReadonlyMap<string, string>;

  private constructor(roots: ReadonlyMap<string, string>) {
    this.#roots = roots;
  }

  /** Returns the controllers that are mounted below `/sys/fs/cgroup`. */
  static async open(mount: string): Promise<CgroupsV1> {
    const roots = new Map<string, string>();
    for (const name of await readdir(mount)) {
      // `cpu` may be a link to `cpu,cpuacct`.
      const path = await realpath(join(mount, name));
      if (await isDirectory(path))
        for (const controller of new Set([name, ...basename(path).split(',')])) roots.set(controller, path);
    }
    return new CgroupsV1(roots);
  }

  directories(path: string): readonly string[] {
    return [...new Set(this.#roots.values())].map((root) => join(root, path));
  }

  async exists(path: string): Promise<boolean> {
    const found = await Promise.all(required.map((controller) => isDirectory(this.#at(controller, path))));
    return found.every(Boolean);
  }

  async create(path: string): Promise<void> {
    for (const [controller, root] of this.#roots) {
      // Skip the hierarchy of the init system, which the kubelet doesn't use.
      if (controller.startsWith('name=') || controller === 'systemd' || controller === 'unified') continue;
      await makeCgroup(root, path, async (directory, parent) => {
        if (controller === 'cpuset') await inheritCpuset(directory, parent);
      });
    }
  }

  async write(path: string, { cpuShares, cpuQuota, cpuPeriod, memory }: PodCgroupConfig): Promise<void> {
    const cpu = this.#at('cpu', path);
    if (cpuShares !== undefined) await writeValue(join(cpu, 'cpu.shares'), cpuShares);
    if (cpuPeriod !== undefined) await writeValue(join(cpu, 'cpu.cfs_period_us'), cpuPeriod);
    if (cpuQuota !== undefined) await writeValue(join(cpu, 'cpu.cfs_quota_us'), cpuQuota === 0 ? -1 : cpuQuota);
    if (memory !== undefined)
      await writeValue(join(this.#at('memory', path), 'memory.limit_in_bytes'), memory === 0 ? -1 : memory);
  }

  async read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> {
    if (resource === 'memory')
      return { memory: await readNumber(join(this.#at('memory', path), 'memory.limit_in_bytes')) };
    const cpu = this.#at('cpu', path);
    const [cpuShares, cpuQuota, cpuPeriod] = await Promise.all(
      ['cpu.shares', 'cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((file) => readNumber(join(cpu, file))),
    );
    return { cpuShares, cpuQuota, cpuPeriod };
  }

  async remove(path: string): Promise<void> {
    for (const directory of this.directories(path)) await removeCgroup(directory);
  }

  memoryUsage(path: string): Promise<number | undefined> {
    return readNumber(join(this.#at('memory', path), 'memory.usage_in_bytes'));
  }

  children(path: string): Promise<readonly string[]> {
    return childCgroups(this.#at('memory', path));
  }

  #at(controller: string, path: string): string {
    return join(this.#roots.get(controller) ?? join('/nonexistent', controller), path);
  }
}

/** Copies the cpuset of the parent. Without this, the cpuset of a new cgroup is empty, and no process can run in it. */
async function inheritCpuset(directory: string, parent: string): Promise<void> {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const value = (await readFile(join(parent, file), 'utf8').catch(() => '')).trim();
    if (value !== '') await writeValue(join(directory, file), value);
  }
}
