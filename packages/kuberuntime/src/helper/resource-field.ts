/** Evaluates `resourceFieldRef`. Upstream: pkg/api/v1/resource/helpers.go, pkg/kubelet/kubelet_resources.go (v1.36). */
import {
  type Container,
  findContainer,
  isPodLevelResourcesSet,
  isSupportedPodLevelResource,
  isZeroQuantity,
  type Pod,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  type ResourceFieldSelector,
  type ResourceList,
  zeroQuantity,
} from '@podscope/k8s';

/**
 * The resources whose limit defaults to the node's allocatable amount. Huge pages have no such default, because they
 * are never overcommitted.
 */
const defaultedResources = ['cpu', 'memory', 'ephemeral-storage'];

const entryOf = (list: ResourceList | undefined, name: string): Quantity | undefined => {
  const value = list?.[name];
  return value === undefined ? undefined : parseQuantity(value);
};

/**
 * Returns the effective limit: the container's limit; if unset, the pod's limit (with pod-level resources); if unset,
 * the node's allocatable amount.
 */
function effectiveLimit(
  pod: Pod,
  container: Container,
  name: string,
  allocatable: ResourceList,
  podLevelResources: boolean,
): Quantity {
  const own = entryOf(container.resources?.limits, name);
  if (own && !isZeroQuantity(own)) return own;
  if (!defaultedResources.includes(name)) return own ?? zeroQuantity;
  const ofNode = entryOf(allocatable, name);
  if (podLevelResources && ofNode && isPodLevelResourcesSet(pod) && isSupportedPodLevelResource(name)) {
    const ofPod = entryOf(pod.spec.resources?.limits, name);
    if (ofPod && !isZeroQuantity(ofPod)) return ofPod;
  }
  return ofNode ?? own ?? zeroQuantity;
}

/**
 * Returns a container's resource, divided by the divisor and rounded up, as text. Upstream:
 * containerResourceRuntimeValue, which calls ExtractContainerResourceValue.
 * @throws Error for an unknown resource or container
 */
export function resourceFieldValue(
  pod: Pod,
  own: Container,
  selector: ResourceFieldSelector,
  allocatable: ResourceList,
  podLevelResources = true,
): string {
  const container = selector.containerName ? findContainer(pod, selector.containerName)?.container : own;
  if (!container) throw new Error(`container ${selector.containerName ?? ''} not found`);
  const [side, ...rest] = selector.resource.split('.');
  const name = rest.join('.');
  const known = defaultedResources.includes(name) || name.startsWith('hugepages-');
  if (!known || (side !== 'limits' && side !== 'requests'))
    throw new Error(`Unsupported container resource : ${selector.resource}`);
  const value =
    side === 'limits'
      ? effectiveLimit(pod, container, name, allocatable, podLevelResources)
      : (entryOf(container.resources?.requests, name) ?? zeroQuantity);
  const given = parseQuantity(selector.divisor ?? 0);
  const divisor = isZeroQuantity(given) ? parseQuantity(1) : given;
  const quotient =
    name === 'cpu'
      ? quantityMilliValue(value) / quantityMilliValue(divisor)
      : quantityValue(value) / quantityValue(divisor);
  return String(Math.ceil(quotient));
}
