/** Resizes that can never be granted on this node. Upstream: podResizesAdmitHandler (pkg/kubelet/allocation/handlers.go, v1.36). */
import { type Pod, parseQuantity, podRequests, quantityMilliValue, quantityValue, type ResourceList } from '@podscope/k8s';

/**
 * Why a resize is infeasible: it asks for more than all of the node; undefined when it may fit some day. Memory is told before cpu.
 * Policies of CPU and memory managers, and swap, refuse resizes upstream, too: this node has none of them.
 */
export function infeasibleResize(pod: Pod, allocatable: ResourceList): string | undefined {
  const requests = podRequests(pod);
  for (const [resource, amount] of [
    ['memory', quantityValue],
    ['cpu', quantityMilliValue],
  ] as const) {
    const [request, available] = [requests.get(resource), allocatable[resource]];
    if (!request || available === undefined) continue;
    const [requested, capacity] = [amount(request), amount(parseQuantity(available))];
    if (requested > capacity) return `Node didn't have enough capacity: ${resource}, requested: ${requested}, capacity: ${capacity}`;
  }
  return undefined;
}
