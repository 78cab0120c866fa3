/**
 * Compares the resources that a pod uses before and after a change of its status. Upstream: resource.PodRequests with
 * UseStatusResources (component-helpers, v1.36), as HandlePodReconcile calls it.
 */
import { type Container, type Pod, parseQuantity, podRequests, quantityMilliValue } from '@podscope/k8s';

/**
 * True when the pod needs less CPU or memory than before. A container counts with the larger of its requested and its
 * actual resources.
 */
export function actualRequestsShrank(before: Pod, after: Pod, podLevelResources: boolean): boolean {
  const options = { skipPodLevelResources: !podLevelResources };
  const [old, current] = [podRequests(withActual(before), options), podRequests(withActual(after), options)];
  return ['cpu', 'memory'].some((resource) => {
    const [was, is] = [old.get(resource), current.get(resource)];
    return was !== undefined && (is ? quantityMilliValue(is) : 0) < quantityMilliValue(was);
  });
}

function withActual(pod: Pod): Pod {
  const { status, spec } = pod;
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const raise = (container: Container): Container => {
    const actual = statuses.find(({ name }) => name === container.name)?.resources?.requests ?? {};
    const requests = { ...container.resources?.requests };
    for (const [resource, quantity] of Object.entries(actual)) {
      const wanted = requests[resource];
      if (wanted === undefined || milli(quantity) > milli(wanted)) requests[resource] = quantity;
    }
    return { ...container, resources: { ...container.resources, requests } };
  };
  const initContainers = spec.initContainers?.map(raise);
  return {
    ...pod,
    spec: { ...spec, containers: spec.containers.map(raise), ...(initContainers && { initContainers }) },
  };
}

const milli = (quantity: string | number): number => quantityMilliValue(parseQuantity(quantity));
