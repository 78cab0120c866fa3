/** Builds the Linux resources of a container. Upstream: generateLinuxContainerConfig, pkg/kubelet/qos (v1.20). */
import type { LinuxContainerResources } from '@podscope/cri';
import { type Container, getPodQOS, isCriticalPod, type Pod } from '@podscope/k8s';
import { cfsPeriod, milliCPUToQuota, milliPerCPU, minShares, sharesPerCPU } from '../cpu.ts';
import { entryOf, hugePageLimits, milliOf, type ResourceFacts, valueOf } from '../linux-resources.ts';
import { bestEffortScore, burstableScore, divide, guaranteedScore, memoryRequest } from '../oom-score.ts';

/** Returns the Linux resources of a container. Upstream: generateLinuxContainerConfig (v1.20). */
export function linuxContainerResourcesV120(
  { node }: ResourceFacts,
  pod: Pod,
  container: Container,
): LinuxContainerResources {
  const { limits, requests } = container.resources ?? {};
  const cpuLimit = milliOf(entryOf(limits, 'cpu'));
  const memory = valueOf(entryOf(limits, 'memory'));
  return {
    cpuShares: milliCPUToSharesV120(milliOf(entryOf(requests, 'cpu')) || cpuLimit),
    ...(memory === 0 ? {} : { memoryLimitInBytes: memory }),
    oomScoreAdj: oomScoreAdjustV120(pod, container, node.memoryBytes),
    ...(node.cpuCFSQuota ? { cpuQuota: milliCPUToQuota(cpuLimit), cpuPeriod: cfsPeriod } : {}),
    hugepageLimits: hugePageLimits(node, limits, undefined),
  };
}

/** Returns CPU shares without an upper bound. Upstream: milliCPUToShares (v1.20). */
const milliCPUToSharesV120 = (milliCPU: number): number =>
  milliCPU === 0 ? minShares : Math.max(Math.floor((milliCPU * sharesPerCPU) / milliPerCPU), minShares);

/** Returns the `oom_score_adj` of a container. Upstream: GetContainerOOMScoreAdjust (v1.20). */
function oomScoreAdjustV120(pod: Pod, container: Container, memoryCapacity: number): number {
  if (isCriticalPod(pod)) return guaranteedScore;
  const qos = getPodQOS(pod, false);
  if (qos === 'Guaranteed') return guaranteedScore;
  if (qos === 'BestEffort') return bestEffortScore;
  return burstableScore(1000 - divide(1000 * memoryRequest(container), memoryCapacity));
}
