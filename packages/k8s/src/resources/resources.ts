/**
 * Computes the requests and limits of a pod from its containers, according to the rules of the scheduler. Upstream:
 * component-helpers resource (v1.36).
 */

import { isRestartableInitContainer } from '../containers.ts';
import type { Container, Pod, ResourceList } from '../types.ts';
import {
  addQuantities,
  maxQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from './quantity.ts';

export type ResourceQuantities = ReadonlyMap<string, Quantity>;

export interface PodResourcesOptions {
  /** Whether to exclude `spec.overhead`. */
  readonly excludeOverhead?: boolean;
  /** Whether to ignore `spec.resources`, as in releases without pod-level resources. */
  readonly skipPodLevelResources?: boolean;
}

/**
 * Parses a resource list. A missing list is empty.
 * @throws QuantityError
 */
export function parseResourceList(list: ResourceList | undefined): Map<string, Quantity> {
  const quantities = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) quantities.set(name, parseQuantity(text));
  return quantities;
}

/** Returns a container's request, or undefined if it declares none. */
export function containerRequest(container: Container, resource: string): Quantity | undefined {
  return entryOf(container.resources?.requests, resource);
}

/** Returns a container's limit, or undefined if it declares none. */
export function containerLimit(container: Container, resource: string): Quantity | undefined {
  return entryOf(container.resources?.limits, resource);
}

function entryOf(list: ResourceList | undefined, resource: string): Quantity | undefined {
  const text = list?.[resource];
  return text === undefined ? undefined : parseQuantity(text);
}

/** Returns the milli-CPUs, or 0 if absent. Upstream: ResourceList.Cpu().MilliValue(). */
export function cpuMilli(list: ResourceList | undefined): number {
  const cpu = entryOf(list, 'cpu');
  return cpu ? quantityMilliValue(cpu) : 0;
}

/** Returns the memory in bytes, or 0 if absent. Upstream: ResourceList.Memory().Value(). */
export function memoryBytes(list: ResourceList | undefined): number {
  const memory = entryOf(list, 'memory');
  return memory ? quantityValue(memory) : 0;
}

/**
 * Returns true for resources that can be set at the pod level. Upstream: resource.IsSupportedPodLevelResource
 * (component-helpers, v1.36).
 */
export function isSupportedPodLevelResource(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePageResource(resource);
}

/**
 * Returns true for resources without a domain or in kubernetes.io. Upstream: helper.IsNativeResource (core/v1/helper,
 * v1.36).
 */
export function isNativeResource(resource: string): boolean {
  return !resource.includes('/') || resource.includes('kubernetes.io/');
}

/** Returns true for `hugepages-` resources. Upstream: helper.IsHugePageResourceName (core/v1/helper, v1.36). */
export function isHugePageResource(resource: string): boolean {
  return resource.startsWith('hugepages-');
}

/**
 * Returns true if the pod declares pod-level resources. Upstream: resource.IsPodLevelResourcesSet (component-helpers,
 * v1.36).
 */
export function isPodLevelResourcesSet(pod: Pod): boolean {
  return isPodLevelRequestsSet(pod) || isPodLevelLimitsSet(pod);
}

export function isPodLevelRequestsSet(pod: Pod): boolean {
  return Object.keys(pod.spec.resources?.requests ?? {}).some(isSupportedPodLevelResource);
}

export function isPodLevelLimitsSet(pod: Pod): boolean {
  return Object.keys(pod.spec.resources?.limits ?? {}).some(isSupportedPodLevelResource);
}

/**
 * Returns the resources that a node must have free to run the pod. Upstream: resource.PodRequests (component-helpers,
 * v1.36).
 */
export function podRequests(pod: Pod, options: PodResourcesOptions = {}): Map<string, Quantity> {
  const total = aggregateContainers(pod, 'requests');
  if (!options.skipPodLevelResources) overlayPodLevel(total, pod.spec.resources?.requests);
  if (!options.excludeOverhead) addResources(total, parseResourceList(pod.spec.overhead));
  return total;
}

/**
 * Returns the limits of a pod. A resource for which no container declares a limit is omitted, and overhead is added
 * only to existing limits. Upstream: resource.PodLimits (component-helpers, v1.36).
 */
export function podLimits(pod: Pod, options: PodResourcesOptions = {}): Map<string, Quantity> {
  const total = aggregateContainers(pod, 'limits');
  if (!options.skipPodLevelResources) overlayPodLevel(total, pod.spec.resources?.limits);
  if (!options.excludeOverhead) {
    for (const [name, quantity] of parseResourceList(pod.spec.overhead)) {
      const limit = total.get(name);
      if (limit) total.set(name, addQuantities(limit, quantity));
    }
  }
  return total;
}

/**
 * Returns the total requests or limits of a pod's containers. Regular containers and sidecars run at the same time, so
 * their values are added. Any other init container runs at the same time as the sidecars before it. The sum of their
 * values counts only if it is larger than the sum above. Upstream: resource.AggregateContainerRequests and
 * AggregateContainerLimits (component-helpers, v1.36).
 */
export function aggregateContainers(pod: Pod, side: 'requests' | 'limits'): Map<string, Quantity> {
  const running = new Map<string, Quantity>();
  for (const container of pod.spec.containers) addResources(running, parseResourceList(container.resources?.[side]));
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const container of pod.spec.initContainers ?? []) {
    const own = parseResourceList(container.resources?.[side]);
    if (isRestartableInitContainer(container)) {
      addResources(running, own);
      addResources(sidecars, own);
      raiseTo(peak, sidecars);
    } else {
      addResources(own, sidecars);
      raiseTo(peak, own);
    }
  }
  raiseTo(running, peak);
  return running;
}

function overlayPodLevel(total: Map<string, Quantity>, list: ResourceList | undefined): void {
  for (const [name, quantity] of parseResourceList(list)) {
    if (isSupportedPodLevelResource(name)) total.set(name, quantity);
  }
}

function addResources(total: Map<string, Quantity>, added: ResourceQuantities): void {
  for (const [name, quantity] of added) {
    const sum = total.get(name);
    total.set(name, sum ? addQuantities(sum, quantity) : quantity);
  }
}

function raiseTo(total: Map<string, Quantity>, other: ResourceQuantities): void {
  for (const [name, quantity] of other) {
    const present = total.get(name);
    total.set(name, present ? maxQuantity(present, quantity) : quantity);
  }
}
