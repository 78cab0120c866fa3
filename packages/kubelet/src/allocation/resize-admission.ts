/**
 * Detects resizes that can never be granted on this node. Upstream: podResizesAdmitHandler
 * (pkg/kubelet/allocation/handlers.go, v1.36).
 */
import {
  type Pod,
  parseQuantity,
  podRequests,
  quantityMilliValue,
  quantityValue,
  type ResourceList,
} from '@podscope/k8s';

/**
 * Returns why a resize is infeasible, or undefined when it may fit later. A resize is infeasible when it requests more
 * than the whole node has. Memory is checked before cpu. Upstream also refuses resizes because of CPU manager, memory
 * manager and swap, which this node doesn't have.
 */
export function infeasibleResize(pod: Pod, allocatable: ResourceList, podLevelResources = true): string | undefined {
  const requests = podRequests(pod, { skipPodLevelResources: !podLevelResources });
  for (const [resource, amount] of [
    ['memory', quantityValue],
    ['cpu', quantityMilliValue],
  ] as const) {
    const [request, available] = [requests.get(resource), allocatable[resource]];
    if (!request || available === undefined) continue;
    const [requested, capacity] = [amount(request), amount(parseQuantity(available))];
    if (requested > capacity)
      return `Node didn't have enough capacity: ${resource}, requested: ${requested}, capacity: ${capacity}`;
  }
  return undefined;
}
