/**
 * Manages pod cgroups in cgroup version 2, which has one hierarchy for all controllers. Upstream: libcontainer
 * cgroups/fs2, as pkg/kubelet/cm uses it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodCgroupConfig } from '@podscope/kuberuntime';
import { childCgroups, isDirectory, makeCgroup, readNumber, removeCgroup, writeValue } from './cgroup-files.ts';
import type { CgroupHierarchy } from './hierarchy.ts';

const controllers = ['cpu', 'cpuset', 'memory', 'pids', 'io', 'hugetlb'];
const minShares = 2;

/** Converts CPU shares to a CPU weight. Upstream: cpuSharesToCPUWeight. */
export const weightOf = (shares: number): number =>
  1 + Math.floor(((Math.max(shares, minShares) - minShares) * 9999) / 262_142);
/** Converts a CPU weight to CPU shares. Upstream: CPUWeightToCPUShares. */
const sharesOf = (weight: number): number => Math.floor(((weight - 1) * 262_142) / 9999 + minShares);

export class CgroupsV2 implements CgroupHierarchy {
  readonly #mount: string;

  /** @param mount the mount point of the hierarchy, usually `/sys/fs/cgroup` */
  constructor(mount: string) {
    this.#mount = mount;
  }

  directories(path: string): readonly string[] {
    return [join(this.#mount, path)];
  }

  exists(path: string): Promise<boolean> {
    return isDirectory(join(this.#mount, path));
  }

  create(path: string): Promise<void> {
    return makeCgroup(this.#mount, path, (_directory, parent) => enableControllers(parent));
  }

  async write(path: string, { cpuShares, cpuQuota, cpuPeriod, memory }: PodCgroupConfig): Promise<void> {
    const directory = join(this.#mount, path);
    if (cpuShares !== undefined) await writeValue(join(directory, 'cpu.weight'), weightOf(cpuShares));
    if (cpuQuota !== undefined)
      await writeValue(join(directory, 'cpu.max'), `${cpuQuota > 0 ? cpuQuota : 'max'} ${cpuPeriod ?? 100_000}`);
    if (memory !== undefined) await writeValue(join(directory, 'memory.max'), memory > 0 ? memory : 'max');
  }

  async read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> {
    const directory = join(this.#mount, path);
    if (resource === 'memory') return { memory: await readNumber(join(directory, 'memory.max')) };
    const weight = await readNumber(join(directory, 'cpu.weight'));
    const [quota, period] = (await readFile(join(directory, 'cpu.max'), 'utf8')).trim().split(' ');
    return {
      cpuShares: weight === undefined ? undefined : sharesOf(weight),
      cpuQuota: quota === 'max' ? -1 : Number(quota),
      cpuPeriod: Number(period),
    };
  }

  async remove(path: string): Promise<void> {
    for (const directory of this.directories(path)) await removeCgroup(directory);
  }

  memoryUsage(path: string): Promise<number | undefined> {
    return readNumber(join(this.#mount, path, 'memory.current'));
  }

  children(path: string): Promise<readonly string[]> {
    return childCgroups(join(this.#mount, path));
  }
}

/** Enables the controllers for the children of a cgroup. Skips controllers that the cgroup itself doesn't have. */
async function enableControllers(parent: string): Promise<void> {
  const available = (await readFile(join(parent, 'cgroup.controllers'), 'utf8').catch(() => '')).trim().split(' ');
  for (const controller of controllers) {
    if (available.includes(controller))
      await writeValue(join(parent, 'cgroup.subtree_control'), `+${controller}`).catch(() => undefined);
  }
}
