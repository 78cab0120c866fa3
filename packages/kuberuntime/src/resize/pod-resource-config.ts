/**
 * Computes the configuration of a pod's cgroup. Upstream: pkg/kubelet/cm/helpers_linux.go ResourceConfigForPod,
 * kuberuntime convert_resources (v1.36).
 */
import type { LinuxContainerResources } from '@podscope/cri';
import {
  cpuMilli,
  getPodQOS,
  isPodLevelResourcesSet,
  memoryBytes,
  type Pod,
  podLimits,
  podRequests,
  quantityMilliValue,
  quantityValue,
} from '@podscope/k8s';
import { cfsPeriod, milliCPUToQuota, milliCPUToShares } from '../container/cpu.ts';
import { overheadResources, type ResourceFacts } from '../container/linux-resources.ts';
import type { PodCgroupConfig } from './pod-cgroups.ts';

const minShares = 2;
const sharesPerCPU = 1024;
const milliPerCPU = 1000;

/** Returns true if the pod or every one of its containers declares this limit. */
function isLimitDeclared(
  pod: Pod,
  of: (list: NonNullable<Pod['spec']['resources']>['limits']) => number,
  podLevelResources: boolean,
): boolean {
  if (podLevelResources && isPodLevelResourcesSet(pod) && of(pod.spec.resources?.limits) !== 0) return true;
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].every(
    ({ resources }) => of(resources?.limits) !== 0,
  );
}

/**
 * Returns the desired configuration of the pod's cgroup. If a container doesn't declare a limit, the pod has no limit
 * either. Upstream: ResourceConfigForPod.
 */
export function resourceConfigForPod(pod: Pod, { node, gates }: ResourceFacts): PodCgroupConfig {
  const options = { skipPodLevelResources: !gates.PodLevelResources };
  const qos = getPodQOS(pod, gates.PodLevelResources);
  if (qos === 'BestEffort') return { cpuShares: minShares };
  const cpuRequest = podRequests(pod, options).get('cpu');
  const limits = podLimits(pod, options);
  const [cpuLimit, memoryLimit] = [limits.get('cpu'), limits.get('memory')];
  const guaranteed = qos === 'Guaranteed';
  const hasCPULimit = guaranteed || isLimitDeclared(pod, cpuMilli, gates.PodLevelResources);
  const hasMemoryLimit = guaranteed || isLimitDeclared(pod, memoryBytes, gates.PodLevelResources);
  const quota = node.cpuCFSQuota ? milliCPUToQuota(cpuLimit ? quantityMilliValue(cpuLimit) : 0) : -1;
  return {
    cpuShares: milliCPUToShares(cpuRequest ? quantityMilliValue(cpuRequest) : 0),
    ...(hasCPULimit ? { cpuQuota: quota, cpuPeriod: cfsPeriod } : {}),
    ...(hasMemoryLimit ? { memory: memoryLimit ? quantityValue(memoryLimit) : 0 } : {}),
  };
}

/** Returns `base`, with its members replaced by those that `update` contains. Upstream: mergeResourceConfig. */
export const mergeResourceConfig = (base: PodCgroupConfig, update: PodCgroupConfig): PodCgroupConfig => ({
  ...base,
  ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined)),
});

const sharesToMilliCPU = (shares: number): number =>
  shares < minShares ? 0 : Math.ceil((shares * milliPerCPU) / sharesPerCPU);

/**
 * Returns the configuration without the pod's overhead, which CRI receives separately. Upstream:
 * subtractOverheadFromResourceConfig.
 */
function withoutOverhead(config: PodCgroupConfig, { spec }: Pod): PodCgroupConfig {
  const { overhead } = spec;
  if (!overhead) return config;
  const cpu = overhead['cpu'] === undefined ? undefined : cpuMilli(overhead);
  const { cpuQuota = 0, cpuPeriod, cpuShares, memory } = config;
  return {
    ...config,
    ...(cpu !== undefined && cpuPeriod !== undefined ? { cpuQuota: cpuQuota - milliCPUToQuota(cpu) } : {}),
    ...(cpu !== undefined && cpuShares !== undefined
      ? { cpuShares: milliCPUToShares(sharesToMilliCPU(cpuShares) - cpu) }
      : {}),
    ...(memory !== undefined ? { memory: memory - memoryBytes(overhead) } : {}),
  };
}

/** Returns the CRI resources for an update of the pod sandbox. Upstream: generateUpdatePodSandboxResourcesRequest. */
export function sandboxUpdate(
  facts: ResourceFacts,
  pod: Pod,
  config: PodCgroupConfig,
): { readonly overhead: LinuxContainerResources; readonly resources: LinuxContainerResources } {
  const { cpuShares, cpuQuota, cpuPeriod, memory } = withoutOverhead(config, pod);
  return {
    overhead: overheadResources(facts, pod),
    resources: { cpuShares, cpuQuota, cpuPeriod, memoryLimitInBytes: memory },
  };
}
