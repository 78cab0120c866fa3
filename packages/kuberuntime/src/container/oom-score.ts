/**
 * Computes `oom_score_adj`. When memory runs out, the kernel kills processes with a high score first. Upstream:
 * pkg/kubelet/qos/policy.go GetContainerOOMScoreAdjust.
 */
import {
  type Container,
  getPodQOS,
  isNodeCriticalPod,
  isPodLevelRequestsSet,
  isRestartableInitContainer,
  memoryBytes,
  type Pod,
  podRequests,
  quantityValue,
} from '@podscope/k8s';

export const guaranteedScore = -997;
export const bestEffortScore = 1000;
/** The minimum for burstable pods. It is higher than the score of a guaranteed pod that uses all memory. */
const minBurstableScore = 1000 + guaranteedScore;

export const memoryRequest = ({ resources }: Container): number => memoryBytes(resources?.requests);
/** Divides and truncates the result like Go's integer division. */
export const divide = (dividend: number, divisor: number): number => Math.trunc(dividend / divisor);

export function burstableScore(score: number): number {
  if (score < minBurstableScore) return minBurstableScore;
  return score === bestEffortScore ? bestEffortScore - 1 : score;
}

/**
 * Returns the memory per container when the part of the pod-level request that no container requests is divided
 * equally. Upstream: remainingPodMemReqPerContainer.
 */
function remainingRequestPerContainer(pod: Pod): number {
  const ofPod = memoryBytes(pod.spec.resources?.requests);
  if (ofPod === 0) return 0;
  const memory = podRequests(pod, { excludeOverhead: true, skipPodLevelResources: true }).get('memory');
  return divide(
    ofPod - (memory ? quantityValue(memory) : 0),
    pod.spec.containers.length + (pod.spec.initContainers?.length ?? 0),
  );
}

/** Returns the `oom_score_adj` of a container. Upstream: GetContainerOOMScoreAdjust (v1.36). */
export function oomScoreAdjustV136(
  pod: Pod,
  container: Container,
  memoryCapacity: number,
  podLevelResources: boolean,
): number {
  if (isNodeCriticalPod(pod)) return guaranteedScore;
  const qos = getPodQOS(pod, podLevelResources);
  if (qos === 'Guaranteed') return guaranteedScore;
  if (qos === 'BestEffort') return bestEffortScore;
  const remaining = podLevelResources && isPodLevelRequestsSet(pod) ? remainingRequestPerContainer(pod) : 0;
  const scoreOf = (request: number): number => 1000 - divide(1000 * (request + remaining), memoryCapacity);
  const score = scoreOf(memoryRequest(container));
  const isSidecar =
    isRestartableInitContainer(container) &&
    (pod.spec.initContainers?.some(({ name }) => name === container.name) ?? false);
  if (!isSidecar) return burstableScore(score);
  // A sidecar gets at most the lowest score of the containers that it serves, so that it isn't killed before them.
  return burstableScore(Math.min(score, scoreOf(Math.min(...pod.spec.containers.map(memoryRequest)))));
}
