/** Simulates the node's cgroup tree, which contains the simulated processes. Upstream: cgroup v2, cm.CgroupManager. */
import { errorMessage } from '@podscope/base';
import { background, Tracer } from '@podscope/trace';
import type { Operation } from '../operations.ts';
import type { Records } from '../records.ts';

/** The values of a cgroup. Absent members are unset. */
export interface CgroupValues {
  readonly cpuShares?: number;
  readonly cpuQuota?: number;
  readonly cpuPeriod?: number;
  /** The memory limit in bytes; -1 for no limit. */
  readonly memory?: number;
}

/** The exit code of a process that is killed because its cgroup is removed. */
const killed = 137;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Stores cgroups by path. A container belongs to the cgroup that its sandbox names as its parent. */
export class CgroupTree {
  readonly #records: Records;
  readonly #groups = new Map<string, CgroupValues>();

  constructor(records: Records) {
    this.#records = records;
  }

  exists(path: string): Promise<boolean> {
    return Promise.resolve(this.#groups.has(path));
  }

  /**
   * Creates a cgroup and its parents, and writes the values.
   * @throws the error of a planned fault
   */
  async create(path: string, values: CgroupValues): Promise<void> {
    await this.#take('cgroup create');
    for (let at = parentOf(path); at !== ''; at = parentOf(at)) if (!this.#groups.has(at)) this.#groups.set(at, {});
    this.#groups.set(path, { ...this.#groups.get(path), ...values });
  }

  /**
   * Writes the values that are set.
   * @throws Error for a missing cgroup; the error of a planned fault
   */
  async update(path: string, values: CgroupValues): Promise<void> {
    await this.#take('cgroup update');
    this.#groups.set(path, { ...this.#existing(path), ...values });
  }

  /**
   * Returns the current values.
   * @throws Error for a missing cgroup
   */
  async read(path: string): Promise<CgroupValues> {
    return this.#existing(path);
  }

  /** Returns the memory in use by the cgroup, and by each container in it by container id, in bytes. */
  memoryUsage(path: string): Promise<{ readonly total: number; readonly children: Readonly<Record<string, number>> }> {
    const children = Object.fromEntries(
      this.#sandboxesIn(path)
        .flatMap(({ id }) => this.#records.containersOf(id))
        .filter(({ running }) => running)
        .map(({ id, machine }) => [id, machine?.usedMemory ?? 0]),
    );
    return Promise.resolve({ total: Object.values(children).reduce((sum, bytes) => sum + bytes, 0), children });
  }

  /**
   * Kills the containers and sandboxes in the cgroup, then removes it.
   * @throws the error of a planned fault
   */
  async destroy(path: string): Promise<void> {
    if (!this.#groups.has(path)) return;
    await this.#take('cgroup destroy');
    for (const sandbox of this.#sandboxesIn(path)) {
      for (const container of this.#records.containersOf(sandbox.id))
        if (container.running) await container.end(killed);
      sandbox.end();
    }
    for (const below of this.#groups.keys())
      if (below === path || below.startsWith(`${path}/`)) this.#groups.delete(below);
  }

  /** Returns the paths of the pods' cgroups by pod UID. */
  pods(): Promise<ReadonlyMap<string, string>> {
    const paths = [...this.#groups.keys()].flatMap((path): [string, string][] => {
      const uid = /^\/kubepods\/(?:[a-z]+\/)?pod([^/]+)$/.exec(path)?.[1];
      return uid === undefined ? [] : [[uid, path]];
    });
    return Promise.resolve(new Map(paths));
  }

  #existing(path: string): CgroupValues {
    const values = this.#groups.get(path);
    if (!values) throw new Error(`open /sys/fs/cgroup${path}: no such file or directory`);
    return values;
  }

  #sandboxesIn(path: string) {
    return [...this.#records.sandboxes.values()].filter(({ config }) => config.linux?.cgroupParent === path);
  }

  /**
   * Waits for the latency of the operation. Cgroup operations can't be canceled.
   * @throws Error of a planned fault
   */
  async #take(operation: Operation): Promise<void> {
    const { node } = this.#records;
    try {
      await node.take(background(node.clock, new Tracer()), operation);
    } catch (error) {
      // An error of the kernel has no gRPC code, so only the text is kept.
      throw new Error(errorMessage(error), { cause: error });
    }
  }
}
