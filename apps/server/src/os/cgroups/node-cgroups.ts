/**
 * Manages the cgroups of pods on this machine. The process must be root to create them, and the container engine must
 * keep its cgroups in the same hierarchy. Upstream: pkg/kubelet/cm (v1.36 and v1.20).
 */
import { access, constants, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CgroupManager, literalPath, podUIDOf } from '@podscope/kubelet';
import type { PodCgroupConfig } from '@podscope/kuberuntime';
import { hasProcesses, isDirectory, killProcesses } from './cgroup-files.ts';
import { CgroupsV1 } from './cgroups-v1.ts';
import { CgroupsV2 } from './cgroups-v2.ts';
import type { CgroupHierarchy } from './hierarchy.ts';
import { SystemdCgroups } from './systemd/systemd-cgroups.ts';
import { SystemdUnits } from './systemd/systemd-units.ts';

const defaultMount = '/sys/fs/cgroup';
const podParents = [['kubepods'], ['kubepods', 'burstable'], ['kubepods', 'besteffort']];
/** Matches the name of a container's scope in a pod's slice: `docker-<id>.scope`. */
const containerScope = /^[a-z-]+-([0-9a-f]{64})\.scope$/;

export interface NodeCgroupsOptions {
  /**
   * The kubelet's root directory. If it contains a directory of a pod, the pod belongs to this node, even if an earlier
   * process created the pod's cgroup.
   */
  readonly kubeletRoot: string;
  /** Default `/sys/fs/cgroup`. */
  readonly mount?: string;
  /** Default: cgroupfs. */
  readonly driver?: 'cgroupfs' | 'systemd';
}

/** Manages pod cgroups with the cgroup version of this machine. */
export class NodeCgroups implements CgroupManager {
  readonly version: 1 | 2;
  readonly #hierarchy: CgroupHierarchy;
  readonly #kubeletRoot: string;
  readonly #made = new Set<string>();
  /** The removals in progress, by path. */
  readonly #destroying = new Map<string, Promise<void>>();

  constructor(hierarchy: CgroupHierarchy, kubeletRoot: string, version: 1 | 2) {
    this.version = version;
    this.#hierarchy = hierarchy;
    this.#kubeletRoot = kubeletRoot;
  }

  exists(path: string): Promise<boolean> {
    return this.#hierarchy.exists(path);
  }

  async create(path: string, config: PodCgroupConfig): Promise<void> {
    const uid = podUIDOf(path);
    if (uid !== undefined) this.#made.add(uid);
    await this.#hierarchy.create(path);
    await this.#hierarchy.write(path, config);
  }

  update(path: string, config: PodCgroupConfig): Promise<void> {
    return this.#hierarchy.write(path, config);
  }

  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> {
    return this.#hierarchy.read(path, resource);
  }

  async memoryUsage(
    path: string,
  ): Promise<{ readonly total: number | undefined; readonly children: Readonly<Record<string, number>> }> {
    const names = await this.#hierarchy.children(path);
    const usages = await Promise.all(
      names.map(
        async (name): Promise<[string, number | undefined]> => [
          containerScope.exec(name)?.[1] ?? name,
          await this.#hierarchy.memoryUsage(join(path, name)),
        ],
      ),
    );
    const children = Object.fromEntries(usages.filter((usage): usage is [string, number] => usage[1] !== undefined));
    return { total: await this.#hierarchy.memoryUsage(path), children };
  }

  destroy(path: string): Promise<void> {
    const running = this.#destroying.get(path) ?? this.#destroy(path).finally(() => this.#destroying.delete(path));
    this.#destroying.set(path, running);
    return running;
  }

  async #destroy(path: string): Promise<void> {
    const directories = this.#hierarchy.directories(path);
    await killProcesses(directories);
    await this.#hierarchy.remove(path);
    const uid = podUIDOf(path);
    if (uid !== undefined) this.#made.delete(uid);
  }

  async pods(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const [uid, path] of await this.all()) if (await this.#isOurs(uid)) found.set(uid, path);
    return found;
  }

  /**
   * Returns true if the pod belongs to this node. Pods of another kubelet on the machine must not count as orphans,
   * because the processes of orphans are killed.
   */
  async #isOurs(uid: string): Promise<boolean> {
    return this.#made.has(uid) || isDirectory(join(this.#kubeletRoot, 'pods', uid));
  }

  /** Returns true while the cgroup contains a process. */
  isBusy(path: string): Promise<boolean> {
    return hasProcesses(this.#hierarchy.directories(path));
  }

  /** Returns every pod cgroup on the machine, by pod UID. */
  async all(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const driver of ['cgroupfs', 'systemd'] as const) {
      for (const parts of podParents) {
        const parent = literalPath(driver, parts);
        for (const name of await this.#hierarchy.children(parent)) {
          const path = `${parent}/${name}`;
          const uid = podUIDOf(path);
          if (uid !== undefined) found.set(uid, path);
        }
      }
    }
    return found;
  }
}

/** Returns the number of pod cgroups that contain processes and belong to other kubelets. */
export async function foreignPodCgroups(cgroups: NodeCgroups): Promise<number> {
  const own = await cgroups.pods();
  const foreign = [...(await cgroups.all())].filter(([uid]) => !own.has(uid));
  const busy = await Promise.all(foreign.map(([, path]) => cgroups.isBusy(path)));
  return busy.filter(Boolean).length;
}

/** Opens the cgroups of this machine. Returns undefined if the process isn't root or the hierarchy can't be written. */
export async function openNodeCgroups({
  kubeletRoot,
  mount = defaultMount,
  driver = 'cgroupfs',
}: NodeCgroupsOptions): Promise<NodeCgroups | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entries = await readdir(mount).catch((): string[] => []);
  const version = entries.includes('cgroup.controllers') ? 2 : 1;
  const probe = version === 2 ? mount : join(mount, 'memory');
  const writable = await access(probe, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return undefined;
  if (driver === 'systemd') {
    // systemd manages only the unified hierarchy, so the systemd driver isn't supported on cgroup v1.
    const units = version === 2 ? await SystemdUnits.open().catch(() => undefined) : undefined;
    return units && new NodeCgroups(new SystemdCgroups(new CgroupsV2(mount), units), kubeletRoot, version);
  }
  const hierarchy = version === 2 ? new CgroupsV2(mount) : await CgroupsV1.open(mount);
  return new NodeCgroups(hierarchy, kubeletRoot, version);
}
