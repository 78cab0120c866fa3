/**
 * Normalizes resource lists and sets defaults of pod-level resources. Upstream: pkg/apis/core/v1/defaults.go (v1.36).
 */

import { formatQuantity, parseQuantity, roundUpToMilli } from '../resources/quantity.ts';
import {
  aggregateContainers,
  isHugePageResource,
  isNativeResource,
  isSupportedPodLevelResource,
} from '../resources/resources.ts';
import type { Pod, ResourceList } from '../types.ts';

/**
 * Returns quantities rounded up to thousandths, in canonical form: `0.5` becomes `500m`. Upstream:
 * SetDefaults_ResourceList (core/v1, v1.36).
 */
export function defaultResourceList(list: ResourceList | undefined): ResourceList | undefined {
  if (!list) return undefined;
  return Object.fromEntries(
    Object.entries(list).map(([name, text]) => [name, formatQuantity(roundUpToMilli(parseQuantity(text)))]),
  );
}

/**
 * If `spec.resources` is set, adds missing pod-level limits and requests. The containers must already have their
 * defaults. Upstream: defaultHugePagePodLimits and defaultPodRequests (core/v1, v1.36).
 */
export function defaultPodLevelResources(pod: Pod): Pod {
  const { resources } = pod.spec;
  if (!resources) return pod;
  const requests = { ...defaultResourceList(resources.requests) };
  const limits = { ...defaultResourceList(resources.limits) };
  if (isEmpty(requests) && isEmpty(limits)) return pod;
  for (const [name, quantity] of aggregateContainers(pod, 'limits')) {
    if (isHugePageResource(name) && !(name in requests)) limits[name] ??= formatQuantity(quantity);
  }
  if (!isEmpty(limits)) {
    for (const [name, quantity] of aggregateContainers(pod, 'requests')) {
      if (isSupportedPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= formatQuantity(quantity);
    }
    for (const [name, limit] of Object.entries(limits)) {
      if (isSupportedPodLevelResource(name)) requests[name] ??= limit;
    }
  }
  const filled = { ...resources, ...(!isEmpty(limits) && { limits }), ...(!isEmpty(requests) && { requests }) };
  return { ...pod, spec: { ...pod.spec, resources: filled } };
}

/**
 * Returns true if requests of the resource may be below its limits. Upstream: helper.IsOvercommitAllowed
 * (core/v1/helper, v1.36).
 */
export function isOvercommitAllowed(resource: string): boolean {
  return isNativeResource(resource) && !isHugePageResource(resource);
}

function isEmpty(list: ResourceList): boolean {
  return Object.keys(list).length === 0;
}
