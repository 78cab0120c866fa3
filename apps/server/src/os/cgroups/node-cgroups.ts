/**
 * The cgroups of pods on this machine, where this process may make them: as root, beside a container engine that keeps its cgroups in the same
 * hierarchy. Upstream: pkg/kubelet/cm (v1.36 and v1.20).
 */
import { access, constants, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CgroupManager } from '@podscope/kubelet';
import type { PodCgroupConfig } from '@podscope/kuberuntime';
import { hasProcesses, isDirectory, killProcesses, removeCgroup } from './cgroup-files.ts';
import { CgroupsV1 } from './cgroups-v1.ts';
import { CgroupsV2 } from './cgroups-v2.ts';
import type { CgroupHierarchy } from './hierarchy.ts';

const defaultMount = '/sys/fs/cgroup';
const podParents = ['/kubepods', '/kubepods/burstable', '/kubepods/besteffort'];
const podCgroup = /^pod(.+)$/;

export interface NodeCgroupsOptions {
  /** `<root>`: a pod with a directory below is this node's, also when an earlier process made its cgroup. */
  readonly kubeletRoot: string;
  /** Default `/sys/fs/cgroup`. */
  readonly mount?: string;
}

/** The manager over one of the two versions. */
export class NodeCgroups implements CgroupManager {
  readonly version: 1 | 2;
  readonly #hierarchy: CgroupHierarchy;
  readonly #kubeletRoot: string;
  readonly #made = new Set<string>();
  /** Removals under way. */
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
    const uid = podCgroup.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
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

  async memoryUsage(path: string): Promise<{ readonly total: number | undefined; readonly children: Readonly<Record<string, number>> }> {
    const names = await this.#hierarchy.children(path);
    const usages = await Promise.all(
      names.map(async (name): Promise<[string, number | undefined]> => [name, await this.#hierarchy.memoryUsage(join(path, name))]),
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
    for (const directory of directories) await removeCgroup(directory);
    const uid = podCgroup.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
    if (uid !== undefined) this.#made.delete(uid);
  }

  async pods(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const [uid, path] of await this.all()) if (await this.#isOurs(uid)) found.set(uid, path);
    return found;
  }

  /** Another kubelet's pods are none of ours, and would not survive being taken for orphans. */
  async #isOurs(uid: string): Promise<boolean> {
    return this.#made.has(uid) || isDirectory(join(this.#kubeletRoot, 'pods', uid));
  }

  /** True while a process is in it. */
  isBusy(path: string): Promise<boolean> {
    return hasProcesses(this.#hierarchy.directories(path));
  }

  /** Every pod cgroup of the machine, by UID. */
  async all(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const parent of podParents) {
      for (const name of await this.#hierarchy.children(parent)) {
        const uid = podCgroup.exec(name)?.[1];
        if (uid !== undefined) found.set(uid, `${parent}/${name}`);
      }
    }
    return found;
  }
}

/** How many pod cgroups of others with processes in them are on this machine. */
export async function foreignPodCgroups(cgroups: NodeCgroups): Promise<number> {
  const own = await cgroups.pods();
  const foreign = [...(await cgroups.all())].filter(([uid]) => !own.has(uid));
  const busy = await Promise.all(foreign.map(([, path]) => cgroups.isBusy(path)));
  return busy.filter(Boolean).length;
}

/** Undefined where pod cgroups can't be kept: not root, or no hierarchy that can be written. */
export async function openNodeCgroups({ kubeletRoot, mount = defaultMount }: NodeCgroupsOptions): Promise<NodeCgroups | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entries = await readdir(mount).catch((): string[] => []);
  const version = entries.includes('cgroup.controllers') ? 2 : 1;
  const probe = version === 2 ? mount : join(mount, 'memory');
  const writable = await access(probe, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return undefined;
  const hierarchy = version === 2 ? new CgroupsV2(mount) : await CgroupsV1.open(mount);
  return new NodeCgroups(hierarchy, kubeletRoot, version);
}
