/**
 * Builds the Linux resources that CRI receives for a container. Upstream: kuberuntime_container_linux.go
 * generateLinuxContainerResources (v1.36 and v1.20).
 */
import type { HugepageLimit, LinuxContainerResources } from '@podscope/cri';
import {
  type Container,
  isPodLevelLimitsSet,
  type Pod,
  parseQuantity,
  podLimits,
  podRequests,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  type ResourceList,
} from '@podscope/k8s';
import type { RuntimeGates } from '../profiles/gates.ts';
import type { RuntimeNode } from '../runtime-node.ts';
import { cfsPeriod, milliCPUToQuota, milliCPUToShares } from './cpu.ts';
import { oomScoreAdjustV136 } from './oom-score.ts';

/** Facts and feature gates that affect resources. */
export interface ResourceFacts {
  readonly node: RuntimeNode;
  readonly gates: Pick<RuntimeGates, 'PodLevelResources'>;
}

export const entryOf = (list: ResourceList | undefined, name: string): Quantity | undefined => {
  const value = list?.[name];
  return value === undefined ? undefined : parseQuantity(value);
};

export const milliOf = (quantity: Quantity | undefined): number => (quantity ? quantityMilliValue(quantity) : 0);
export const valueOf = (quantity: Quantity | undefined): number => (quantity ? quantityValue(quantity) : 0);

/**
 * Returns CPU shares, CPU quota and memory limit. If a request is missing, the limit is used; a request of 0 is kept.
 * Upstream: calculateLinuxResources (v1.36).
 */
function calculateLinuxResources(
  { cpuCFSQuota, cgroupVersion, singleProcessOOMKill }: RuntimeNode,
  cpuRequest: Quantity | undefined,
  cpuLimit: Quantity | undefined,
  memoryLimit: Quantity | undefined,
): LinuxContainerResources {
  const memory = valueOf(memoryLimit);
  return {
    cpuShares: milliCPUToShares(milliOf(cpuRequest ?? cpuLimit)),
    ...(memory === 0 ? {} : { memoryLimitInBytes: memory }),
    ...(cpuCFSQuota ? { cpuQuota: milliCPUToQuota(milliOf(cpuLimit)), cpuPeriod: cfsPeriod } : {}),
    ...(cgroupVersion === 2 && !singleProcessOOMKill ? { unified: { 'memory.oom.group': '1' } } : {}),
  };
}

/** Returns the page size in CRI's notation, for example `2MB` for `2Mi`. */
function pageSizeName(quantity: string): string {
  let size = valueOf(parseQuantity(quantity));
  let unit = 0;
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size}${units[unit] ?? ''}`;
}

const hugePagePrefix = 'hugepages-';

function hugePageLimitsOf(limits: ResourceList | undefined): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (name.startsWith(hugePagePrefix))
      found.set(pageSizeName(name.slice(hugePagePrefix.length)), valueOf(parseQuantity(value)));
  }
  return found;
}

/**
 * Returns one entry for each page size of the node. The entry is 0 if the container has no limit for that size.
 * Upstream: GetHugepageLimitsFromResources.
 */
export function hugePageLimits(
  { hugePageSizes }: RuntimeNode,
  own: ResourceList | undefined,
  ofPod: ResourceList | undefined,
): readonly HugepageLimit[] {
  const ownLimits = hugePageLimitsOf(own);
  const limits = ownLimits.size > 0 ? ownLimits : hugePageLimitsOf(ofPod);
  return hugePageSizes.map((pageSize) => ({ pageSize, limit: limits.get(pageSize) ?? 0 }));
}

/**
 * Sets the resources so that the container gets no swap, if the kernel accounts for swap. Upstream:
 * configureContainerSwapResources (v1.36), behavior NoSwap.
 */
function withoutSwap(
  resources: LinuxContainerResources,
  { swapController, cgroupVersion }: RuntimeNode,
): LinuxContainerResources {
  if (!swapController) return resources;
  if (cgroupVersion === 2) return { ...resources, unified: { ...resources.unified, 'memory.swap.max': '0' } };
  return resources.memoryLimitInBytes === undefined
    ? resources
    : { ...resources, memorySwapLimitInBytes: resources.memoryLimitInBytes };
}

/** Returns the Linux resources of a container. Upstream: generateLinuxContainerResources (v1.36). */
export function linuxContainerResourcesV136(
  { node, gates }: ResourceFacts,
  pod: Pod,
  container: Container,
): LinuxContainerResources {
  const { limits, requests } = container.resources ?? {};
  const podLevel = gates.PodLevelResources && isPodLevelLimitsSet(pod) ? pod.spec.resources?.limits : undefined;
  const limit = (name: string): Quantity | undefined => {
    const own = entryOf(limits, name);
    return podLevel && valueOf(own) === 0 ? entryOf(podLevel, name) : own;
  };
  const resources = calculateLinuxResources(node, entryOf(requests, 'cpu'), limit('cpu'), limit('memory'));
  return withoutSwap(
    {
      ...resources,
      oomScoreAdj: oomScoreAdjustV136(pod, container, node.memoryBytes, gates.PodLevelResources),
      hugepageLimits: hugePageLimits(node, limits, podLevel),
    },
    node,
  );
}

/**
 * Returns the sum of the container resources of a pod, without overhead. Upstream: calculateSandboxResources (v1.36).
 */
export function sandboxResources({ node, gates }: ResourceFacts, pod: Pod): LinuxContainerResources {
  const options = { excludeOverhead: true, skipPodLevelResources: !gates.PodLevelResources };
  const limits = podLimits(pod, options);
  return calculateLinuxResources(node, podRequests(pod, options).get('cpu'), limits.get('cpu'), limits.get('memory'));
}

/**
 * Returns the resources of the pod's overhead, or an empty object without overhead. Upstream:
 * convertOverheadToLinuxResources (v1.36).
 */
export function overheadResources({ node }: ResourceFacts, { spec }: Pod): LinuxContainerResources {
  if (!spec.overhead) return {};
  const cpu = entryOf(spec.overhead, 'cpu');
  return calculateLinuxResources(node, cpu, cpu, entryOf(spec.overhead, 'memory'));
}
