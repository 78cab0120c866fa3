/**
 * Manages the cgroups of pods and QoS classes: `/kubepods/<qos>/pod<uid>`. Upstream: cm.podContainerManagerImpl,
 * qosContainerManagerImpl (pkg/kubelet/cm, v1.36).
 */
import { deepEqual } from '@podscope/base';
import { getPodQOS, type Pod, podRequests, quantityMilliValue } from '@podscope/k8s';
import {
  getPodCgroupParent,
  milliCPUToShares,
  type PodCgroupConfig,
  type PodCgroups,
  resourceConfigForPod,
} from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { CgroupManager, NodeConfiguration } from '../dependencies.ts';
import { literalPath, podUIDOf } from './literal-path.ts';

/** The smallest CPU weight: that of best-effort pods and of pods that must not slow down others. */
const minShares = 2;

/** The CPU shares of the QoS classes that have a cgroup. */
interface QOSWeights {
  readonly besteffort: number;
  readonly burstable: number;
}

export interface PodContainerManagerDependencies {
  /** Accesses the node's cgroups. If undefined, the node has no pod cgroups. */
  readonly cgroups: CgroupManager | undefined;
  readonly node: NodeConfiguration;
  /** The feature gate PodLevelResources: whether QoS classes and limits depend on pod-level resources. */
  readonly podLevelResources: boolean;
  /** Returns the names of a pod's containers by container id. The id is also the name of the container's cgroup. */
  readonly containerNames: (uid: string) => ReadonlyMap<string, string>;
}

/**
 * Creates, changes and removes pod cgroups. Without a {@link CgroupManager}, every cgroup counts as present and no
 * method changes anything.
 */
export class PodContainerManager implements PodCgroups {
  readonly #dependencies: PodContainerManagerDependencies;
  readonly #kept = new Set<string>();
  readonly #reduced = new Set<string>();
  /** The weights that were written last. New cgroups of QoS classes have the smallest weight. */
  #weights: QOSWeights = { besteffort: minShares, burstable: minShares };

  constructor(dependencies: PodContainerManagerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether this node has pod cgroups. */
  get enabled(): boolean {
    return this.#dependencies.node.cgroupsPerQOS && this.#dependencies.cgroups !== undefined;
  }

  /**
   * Returns the literal path of a pod's cgroup; empty when the node has no pod cgroups. Upstream: GetPodContainerName.
   */
  path(pod: Pod): string {
    const { node, podLevelResources } = this.#dependencies;
    return getPodCgroupParent(pod, { ...node, podLevelResources });
  }

  /** True when the pod's cgroup exists. Upstream: Exists. */
  async exists(pod: Pod): Promise<boolean> {
    const manager = this.#manager();
    return manager === undefined || manager.exists(this.path(pod));
  }

  /** True from the creation of a pod's cgroup until its removal. */
  isKept(uid: string): boolean {
    return this.#kept.has(uid);
  }

  /**
   * Creates the pod's cgroup with the pod's resources. Upstream: EnsureExists.
   * @throws Error when it can't be created
   */
  async ensureExists(pod: Pod): Promise<void> {
    if (this.enabled) this.#kept.add(pod.metadata.uid);
    const { node, podLevelResources } = this.#dependencies;
    const facts = { node: { ...node, seccompProfileRoot: '' }, gates: { PodLevelResources: podLevelResources } };
    await this.#manager()?.create(this.path(pod), resourceConfigForPod(pod, facts));
  }

  /**
   * Kills every process in the cgroup and removes it. Upstream: Destroy.
   * @throws Error when a process or a part of the cgroup is left
   */
  async destroy(path: string): Promise<void> {
    if (path !== '') await this.#manager()?.destroy(path);
    const uid = podUIDOf(path) ?? '';
    this.#kept.delete(uid);
    this.#reduced.delete(uid);
  }

  /** True once the cgroup has the smallest CPU weight. */
  isReduced(path: string): boolean {
    return this.#reduced.has(podUIDOf(path) ?? '');
  }

  /** Sets the smallest CPU weight. Upstream: ReduceCPULimits. */
  async reduceCPULimits(path: string): Promise<void> {
    this.#reduced.add(podUIDOf(path) ?? '');
    await this.#manager()?.update(path, { cpuShares: minShares });
  }

  /** Returns the pod cgroups of this node by pod UID. Upstream: GetAllPodsFromCgroups. */
  async pods(): Promise<ReadonlyMap<string, string>> {
    return (await this.#manager()?.pods()) ?? new Map<string, string>();
  }

  /**
   * Limits all pods together to the node's capacity, because nothing is reserved for the system. Returns false when the
   * node has no pod cgroups. Upstream: enforceNodeAllocatableCgroups (pkg/kubelet/cm, v1.36).
   * @throws Error when the limit can't be written
   */
  async enforceNodeAllocatable(): Promise<boolean> {
    const manager = this.#manager();
    const { cpus, memoryBytes } = this.#dependencies.node;
    if (!manager) return false;
    await manager.create(this.#literalPath('kubepods'), {
      cpuShares: milliCPUToShares(cpus * 1000),
      memory: memoryBytes,
    });
    return true;
  }

  /**
   * Writes the CPU weights of the QoS classes, and creates missing cgroups. Returns the weights and whether they differ
   * from those that were written last. Upstream: qosContainerManagerImpl.Start, UpdateCgroups.
   * @throws Error when a cgroup can't be written
   */
  async updateQOSCgroups(
    activePods: readonly Pod[],
  ): Promise<{ readonly weights: QOSWeights; readonly changed: boolean }> {
    const manager = this.#manager();
    if (!manager) return { weights: this.#weights, changed: false };
    const burstable = activePods
      .filter((pod) => getPodQOS(pod, this.#dependencies.podLevelResources) === 'Burstable')
      .map((pod) => podRequests(pod, { skipPodLevelResources: !this.#dependencies.podLevelResources }).get('cpu'));
    const milliCPU = burstable.reduce((sum, request) => sum + (request ? quantityMilliValue(request) : 0), 0);
    const weights = { besteffort: minShares, burstable: milliCPUToShares(milliCPU) };
    for (const [qosClass, cpuShares] of Object.entries(weights)) {
      const path = this.#literalPath('kubepods', qosClass);
      if (await manager.exists(path)) await manager.update(path, { cpuShares });
      else await manager.create(path, { cpuShares });
    }
    const changed = !deepEqual(weights, this.#weights);
    this.#weights = weights;
    return { weights, changed };
  }

  async getPodCgroupConfig(_ctx: Context, pod: Pod, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> {
    return this.#required().read(this.path(pod), resource);
  }

  async setPodCgroupConfig(_ctx: Context, pod: Pod, config: PodCgroupConfig): Promise<void> {
    await this.#required().update(this.path(pod), config);
  }

  async memoryUsage(
    _ctx: Context,
    pod: Pod,
  ): Promise<{ readonly pod: number | undefined; readonly containers: Readonly<Record<string, number>> }> {
    const { total, children } = await this.#required().memoryUsage(this.path(pod));
    const names = this.#dependencies.containerNames(pod.metadata.uid);
    const containers = Object.entries(children).map(([id, bytes]): [string, number] => [names.get(id) ?? id, bytes]);
    return { pod: total, containers: Object.fromEntries(containers) };
  }

  #literalPath(...parts: readonly string[]): string {
    return literalPath(this.#dependencies.node.cgroupDriver, parts);
  }

  #manager(): CgroupManager | undefined {
    return this.#dependencies.node.cgroupsPerQOS ? this.#dependencies.cgroups : undefined;
  }

  #required(): CgroupManager {
    const manager = this.#manager();
    if (!manager) throw new Error('this node has no pod cgroups');
    return manager;
  }
}
