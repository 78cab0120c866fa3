/**
 * Checks whether the node has enough resources for a pod. Upstream: fitsRequest (scheduler noderesources), kubelet
 * predicate admission (v1.36).
 */
import {
  addQuantities,
  compareQuantities,
  type Pod,
  type PodResourcesOptions,
  parseQuantity,
  podRequests,
  type Quantity,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  type ResourceList,
} from '@podscope/k8s';
import type { Rejection } from './types.ts';

const amount = (resource: string, quantity: Quantity): number =>
  resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);

function used(pods: readonly Pod[], resource: string, options: PodResourcesOptions): Quantity {
  let total = quantityOf(0);
  for (const pod of pods) {
    const request = podRequests(pod, options).get(resource);
    if (request) total = addQuantities(total, request);
  }
  return total;
}

const insufficient = (resource: string, requested: number, inUse: number, capacity: number): Rejection => ({
  reason: `OutOf${resource}`,
  message:
    `Node didn't have enough resource: ${resource}, requested: ${requested}, ` +
    `used: ${inUse}, capacity: ${capacity}`,
  insufficient: [{ resource, missing: requested + inUse - capacity }],
});

/**
 * Returns a rejection for each resource that is missing, in the order pods, cpu, memory, ephemeral storage, others.
 * Resources that the node doesn't report are ignored.
 * @param podLevelResources whether `spec.resources` of pods counts
 */
export function insufficientResources(
  pod: Pod,
  others: readonly Pod[],
  allocatable: ResourceList,
  podLevelResources = true,
): readonly Rejection[] {
  const options = { skipPodLevelResources: !podLevelResources };
  const rejections: Rejection[] = [];
  const pods = allocatable['pods'] === undefined ? undefined : quantityValue(parseQuantity(allocatable['pods']));
  if (pods !== undefined && others.length + 1 > pods) rejections.push(insufficient('pods', 1, others.length, pods));
  const requests = podRequests(pod, options);
  const wellKnown = ['cpu', 'memory', 'ephemeral-storage'];
  for (const resource of [
    ...wellKnown,
    ...[...requests.keys()].filter((name) => !wellKnown.includes(name)).toSorted(),
  ]) {
    const request = requests.get(resource);
    const capacityText = allocatable[resource];
    if (!request || request.nanos === 0n || capacityText === undefined) continue;
    const capacity = parseQuantity(capacityText);
    const inUse = used(others, resource, options);
    if (compareQuantities(addQuantities(request, inUse), capacity) > 0) {
      rejections.push(
        insufficient(resource, amount(resource, request), amount(resource, inUse), amount(resource, capacity)),
      );
    }
  }
  return rejections;
}
