/**
 * Computes the resources in a pod's status. Upstream: convertToAPIPodLevelResourcesStatus
 * (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import {
  type PodStatus as ApiPodStatus,
  formatQuantity,
  podLimits,
  podRequests,
  type ResourceList,
  type ResourceQuantities,
} from '@podscope/k8s';
import { actualResources } from './container-resources.ts';
import type { StatusInput } from './status-input.ts';

const toList = (quantities: ResourceQuantities): ResourceList =>
  Object.fromEntries([...quantities].map(([name, quantity]) => [name, formatQuantity(quantity)]));

const some = (list: ResourceList): boolean => Object.keys(list).length > 0;

/**
 * Returns the allocated and the actual resources of the pod, both with its overhead. As in upstream, the actual ones of
 * a running pod are those of its cgroup, and its memory request never changes, because no cgroup has it.
 * @param old the previous status
 */
export function podLevelResources(
  { pod, gates, podCgroup }: StatusInput,
  old: ApiPodStatus | undefined,
): Pick<ApiPodStatus, 'resources' | 'allocatedResources'> {
  // In upstream, the feature gate InPlacePodLevelResourcesVerticalScaling can't be on without PodLevelResources.
  if (!gates.PodLevelResources || !gates.InPlacePodLevelResourcesVerticalScaling) return {};
  const allocated = toList(podRequests(pod));
  let [limits, requests] = [toList(podLimits(pod)), allocated];
  if (pod.status?.phase === 'Running') {
    const own = pod.spec.resources ?? {};
    const before = old?.phase === 'Running' ? old.resources : undefined;
    const memory = allocated['memory'];
    limits = actualResources('limits', own.limits ?? {}, podCgroup, before?.limits);
    requests = actualResources(
      'requests',
      { ...(memory === undefined ? {} : { memory }), ...own.requests },
      podCgroup,
      before?.requests,
    );
  }
  return {
    resources: { ...(some(limits) ? { limits } : {}), ...(some(requests) ? { requests } : {}) },
    ...(some(allocated) ? { allocatedResources: allocated } : {}),
  };
}
