/** Selects the pods to evict so that a critical pod fits. Upstream: pkg/kubelet/preemption (v1.36 and v1.20). */
import {
  getPodQOS,
  isCriticalPod,
  type Pod,
  type PodQOSClass,
  podRequests,
  quantityMilliValue,
  quantityValue,
} from '@podscope/k8s';
import type { InsufficientResource } from './types.ts';

/** The reason and message in the event and status of a preempted pod. */
export const preempted = { reason: 'Preempting', message: 'Preempted in order to admit critical pod' } as const;

/** The message in the condition DisruptionTarget of a preempted pod. */
export const preemptedCondition = 'Pod was preempted by Kubelet to accommodate a critical pod.';

/** Returns how much of a resource a pod would release. */
type RequestOf = (pod: Pod, resource: string) => number;

/** Upstream: resource.GetResourceRequest. @param podLevelResources whether `spec.resources` of pods counts */
const requestsWith =
  (podLevelResources: boolean): RequestOf =>
  (pod, resource) => {
    if (resource === 'pods') return 1;
    const request = podRequests(pod, { skipPodLevelResources: !podLevelResources }).get(resource);
    if (!request) return 0;
    return resource === 'cpu' ? quantityMilliValue(request) : quantityValue(request);
  };

/** Returns the resources that are still missing after these pods are evicted. */
const subtract = (
  requestOf: RequestOf,
  requirements: readonly InsufficientResource[],
  pods: readonly Pod[],
): readonly InsufficientResource[] =>
  requirements
    .map(({ resource, missing }) => ({
      resource,
      missing: missing - pods.reduce((sum, pod) => sum + requestOf(pod, resource), 0),
    }))
    .filter(({ missing }) => missing > 0);

/**
 * Returns the distance between the resources that a pod releases and those that are missing; 0 when it releases enough.
 */
const distance = (requestOf: RequestOf, requirements: readonly InsufficientResource[], pod: Pod): number =>
  requirements.reduce(
    (sum, { resource, missing }) => sum + Math.max(0, (missing - requestOf(pod, resource)) / missing) ** 2,
    0,
  );

/**
 * Selects pods one by one until the requirements are met. Each round picks the pod whose resources are closest to the
 * missing ones. Among equally close pods, it picks the one that requests less memory, then less cpu.
 */
function closest(
  requestOf: RequestOf,
  pods: readonly Pod[],
  requirements: readonly InsufficientResource[],
): readonly Pod[] {
  const chosen: Pod[] = [];
  let rest = [...pods];
  for (let open = requirements; open.length > 0 && rest.length > 0; open = subtract(requestOf, requirements, chosen)) {
    const [best] = rest.toSorted(
      (a, b) =>
        distance(requestOf, open, a) - distance(requestOf, open, b) ||
        requestOf(a, 'memory') - requestOf(b, 'memory') ||
        requestOf(a, 'cpu') - requestOf(b, 'cpu'),
    );
    if (!best) break;
    chosen.push(best);
    rest = rest.filter((pod) => pod !== best);
  }
  return chosen;
}

/** Upstream: kubetypes.Preemptable. */
const preemptable = (preemptor: Pod, pod: Pod): boolean =>
  (isCriticalPod(preemptor) && !isCriticalPod(pod)) ||
  (preemptor.spec.priority !== undefined &&
    pod.spec.priority !== undefined &&
    preemptor.spec.priority > pod.spec.priority);

/**
 * Returns the smallest set of less important pods that releases the missing resources, best-effort pods first.
 * @param podLevelResources whether `spec.resources` of pods counts
 * @throws Error when all less important pods together don't release enough
 */
export function getPodsToPreempt(
  pod: Pod,
  others: readonly Pod[],
  requirements: readonly InsufficientResource[],
  podLevelResources = true,
): readonly Pod[] {
  const requestOf = requestsWith(podLevelResources);
  const candidates = others.filter((other) => preemptable(pod, other));
  const ofClass = (qos: PodQOSClass): readonly Pod[] =>
    candidates.filter((other) => getPodQOS(other, podLevelResources) === qos);
  const [bestEffort, burstable, guaranteed] = [ofClass('BestEffort'), ofClass('Burstable'), ofClass('Guaranteed')];
  const unmet = subtract(requestOf, requirements, candidates);
  if (unmet.length > 0) {
    const list = unmet.map(({ resource, missing }) => `(res: ${resource}, q: ${missing}), `).join('');
    throw new Error(
      'preemption: error finding a set of pods to preempt: ' +
        `no set of running pods found to reclaim resources: [${list}]`,
    );
  }
  const fromGuaranteed = closest(
    requestOf,
    guaranteed,
    subtract(requestOf, requirements, [...bestEffort, ...burstable]),
  );
  const fromBurstable = closest(
    requestOf,
    burstable,
    subtract(requestOf, requirements, [...bestEffort, ...fromGuaranteed]),
  );
  const fromBestEffort = closest(
    requestOf,
    bestEffort,
    subtract(requestOf, requirements, [...fromBurstable, ...fromGuaranteed]),
  );
  return [...fromBestEffort, ...fromBurstable, ...fromGuaranteed];
}
