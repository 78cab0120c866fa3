/** The cgroups of pods: `/kubepods/<qos>/pod<uid>`. Upstream: cm.podContainerManagerImpl, qosContainerManagerImpl (pkg/kubelet/cm, v1.36). */
import { getPodQOS, type Pod, podRequests, quantityMilliValue } from '@podscope/k8s';
import { getPodCgroupParent, milliCPUToShares, type PodCgroupConfig, type PodCgroups, resourceConfigForPod } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { CgroupManager, NodeConfiguration } from '../dependencies.ts';

/** What a pod's cgroup gets that must not disturb others any more. */
const minShares = 2;

export interface PodContainerManagerDependencies {
  /** Absent: the node keeps no cgroups of pods. */
  readonly cgroups: CgroupManager | undefined;
  readonly node: NodeConfiguration;
  /** Whether resources of a pod as a whole count. */
  readonly podLevelResources: boolean;
  /** The names of a pod's containers, by the id under which the runtime made their cgroups. */
  readonly containerNames: (uid: string) => ReadonlyMap<string, string>;
}

/** `/kubepods/burstable/pod<uid>` → `<uid>`. */
const podUIDOf = (path: string): string => path.slice(path.lastIndexOf('/') + '/pod'.length);

/** Makes, changes and removes pod cgroups. Without a {@link CgroupManager} every cgroup is taken to be there, and nothing is done. */
export class PodContainerManager implements PodCgroups {
  readonly #deps: PodContainerManagerDependencies;
  readonly #kept = new Set<string>();
  readonly #reduced = new Set<string>();

  constructor(deps: PodContainerManagerDependencies) {
    this.#deps = deps;
  }

  /** Whether this node keeps cgroups of pods. */
  get enabled(): boolean {
    return this.#deps.node.cgroupsPerQOS && this.#deps.cgroups !== undefined;
  }

  /** The literal path of a pod's cgroup; empty when the node keeps none. Upstream: GetPodContainerName. */
  path(pod: Pod): string {
    return getPodCgroupParent(pod, this.#deps.node);
  }

  /** Upstream: Exists. */
  async exists(pod: Pod): Promise<boolean> {
    const manager = this.#manager();
    return manager === undefined || manager.exists(this.path(pod));
  }

  /** True from the time a pod's cgroup was made until it has been removed. */
  isKept(uid: string): boolean {
    return this.#kept.has(uid);
  }

  /** @throws Error when it can't be made. Upstream: EnsureExists. */
  async ensureExists(pod: Pod): Promise<void> {
    if (this.enabled) this.#kept.add(pod.metadata.uid);
    const { node, podLevelResources } = this.#deps;
    const facts = { node: { ...node, seccompProfileRoot: '' }, gates: { PodLevelResources: podLevelResources } };
    await this.#manager()?.create(this.path(pod), resourceConfigForPod(pod, facts));
  }

  /** Kills what is in it and removes it. @throws Error when something is left. Upstream: Destroy. */
  async destroy(path: string): Promise<void> {
    if (path !== '') await this.#manager()?.destroy(path);
    const uid = podUIDOf(path);
    this.#kept.delete(uid);
    this.#reduced.delete(uid);
  }

  /** True once the cgroup has the least weight. */
  isReduced(path: string): boolean {
    return this.#reduced.has(podUIDOf(path));
  }

  /** Upstream: ReduceCPULimits. */
  async reduceCPULimits(path: string): Promise<void> {
    this.#reduced.add(podUIDOf(path));
    await this.#manager()?.update(path, { cpuShares: minShares });
  }

  /** Pod cgroups on this machine that are ours, by UID. Upstream: GetAllPodsFromCgroups. */
  async pods(): Promise<ReadonlyMap<string, string>> {
    return (await this.#manager()?.pods()) ?? new Map<string, string>();
  }

  /**
   * All pods together get what the node has, nothing being set aside for the system. False when this node keeps no cgroups.
   * @throws Error when it can't be written. Upstream: enforceNodeAllocatableCgroups (pkg/kubelet/cm, v1.36).
   */
  async enforceNodeAllocatable(): Promise<boolean> {
    const manager = this.#manager();
    const { cpus, memoryBytes, cgroupDriver } = this.#deps.node;
    if (!manager || cgroupDriver !== 'cgroupfs') return false;
    await manager.create('/kubepods', { cpuShares: milliCPUToShares(cpus * 1000), memory: memoryBytes });
    return true;
  }

  /** Gives the QoS classes their weights. Upstream: UpdateCgroups. */
  async updateQOSCgroups(activePods: readonly Pod[]): Promise<void> {
    const manager = this.#manager();
    if (!manager || this.#deps.node.cgroupDriver !== 'cgroupfs') return;
    const burstable = activePods.filter((pod) => getPodQOS(pod) === 'Burstable').map((pod) => podRequests(pod).get('cpu'));
    const milliCPU = burstable.reduce((sum, request) => sum + (request ? quantityMilliValue(request) : 0), 0);
    await manager.create('/kubepods/besteffort', { cpuShares: minShares });
    await manager.create('/kubepods/burstable', { cpuShares: milliCPUToShares(milliCPU) });
  }

  async getPodCgroupConfig(_ctx: Context, pod: Pod, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> {
    return this.#required().read(this.path(pod), resource);
  }

  async setPodCgroupConfig(_ctx: Context, pod: Pod, config: PodCgroupConfig): Promise<void> {
    await this.#required().update(this.path(pod), config);
  }

  async memoryUsage(_ctx: Context, pod: Pod): Promise<{ readonly pod: number | undefined; readonly containers: Readonly<Record<string, number>> }> {
    const { total, children } = await this.#required().memoryUsage(this.path(pod));
    const names = this.#deps.containerNames(pod.metadata.uid);
    const containers = Object.entries(children).map(([id, bytes]): [string, number] => [names.get(id) ?? id, bytes]);
    return { pod: total, containers: Object.fromEntries(containers) };
  }

  #manager(): CgroupManager | undefined {
    return this.#deps.node.cgroupsPerQOS ? this.#deps.cgroups : undefined;
  }

  #required(): CgroupManager {
    const manager = this.#manager();
    if (!manager) throw new Error('this node keeps no cgroups of pods');
    return manager;
  }
}
