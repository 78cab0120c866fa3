/**
 * Determines the QoS class of a pod, which affects OOM killing and eviction. Upstream: pkg/apis/core/v1/helper/qos
 * (v1.36).
 */

import type { Pod, PodQOSClass, ResourceList } from '../types.ts';
import { addQuantities, compareQuantities, type Quantity } from './quantity.ts';
import { isPodLevelResourcesSet, parseResourceList, type ResourceQuantities } from './resources.ts';

/** Returns the QoS class in the status, or computes it if the status has no class. Upstream: qos.GetPodQOS (v1.36). */
export function getPodQOS(pod: Pod, podLevelResources = true): PodQOSClass {
  return pod.status?.qosClass ?? computePodQOS(pod, podLevelResources);
}

/**
 * Returns the QoS class for the pod's requests and limits. Upstream: qos.ComputePodQOS (v1.36).
 * @param podLevelResources the feature gate PodLevelResources; if off, `spec.resources` is ignored
 */
export function computePodQOS(pod: Pod, podLevelResources = true): PodQOSClass {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let everyLimitSet = true;
  const parts =
    podLevelResources && isPodLevelResourcesSet(pod)
      ? [pod.spec.resources]
      : [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map((container) => container.resources);
  for (const resources of parts) {
    collect(requests, qosQuantities(resources?.requests));
    const own = qosQuantities(resources?.limits);
    collect(limits, own);
    everyLimitSet &&= own.has('cpu') && own.has('memory');
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  return everyLimitSet && sameResources(requests, limits) ? 'Guaranteed' : 'Burstable';
}

/** Returns the quantities of CPU and memory that aren't zero. Only these determine the class. */
function qosQuantities(list: ResourceList | undefined): Map<string, Quantity> {
  const quantities = parseResourceList(list);
  for (const [name, quantity] of quantities) {
    if ((name !== 'cpu' && name !== 'memory') || quantity.nanos <= 0n) quantities.delete(name);
  }
  return quantities;
}

function collect(total: Map<string, Quantity>, added: ResourceQuantities): void {
  for (const [name, quantity] of added) {
    const sum = total.get(name);
    total.set(name, sum ? addQuantities(sum, quantity) : quantity);
  }
}

function sameResources(requests: ResourceQuantities, limits: ResourceQuantities): boolean {
  if (requests.size !== limits.size) return false;
  return [...requests].every(([name, request]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(request, limit) === 0;
  });
}
