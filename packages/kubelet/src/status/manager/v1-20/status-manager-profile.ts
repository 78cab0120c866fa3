/**
 * Defines the rules for storing and writing statuses in v1.20. Upstream: pkg/kubelet/status/status_manager.go (v1.20).
 */
import type { PodStatus as ApiPodStatus, ContainerStatus, Pod } from '@podscope/k8s';
import { kubeletConditionTypes } from '../../conditions.ts';
import { markLost } from '../../terminated-status.ts';
import { containersReadyConditionV120 } from '../../v1-20/conditions.ts';
import type { StatusManagerProfile } from '../status-manager-profile.ts';

/**
 * Returns the kubelet's status, with the conditions that other components own from the API. Upstream: mergePodStatus.
 */
const mergePodStatusV120 = (api: ApiPodStatus, own: ApiPodStatus): ApiPodStatus => ({
  ...own,
  conditions: [
    ...(api.conditions ?? []).filter(({ type }) => !kubeletConditionTypes.has(type)),
    ...(own.conditions ?? []).filter(({ type }) => kubeletConditionTypes.has(type)),
  ],
});

/**
 * Returns the status in which every container that is neither terminated nor waiting is marked as lost. The phase
 * doesn't change. Upstream: TerminatePod.
 */
function terminatedStatusV120(_pod: Pod, status: ApiPodStatus): ApiPodStatus {
  const terminate = (list: readonly ContainerStatus[]): readonly ContainerStatus[] =>
    list.map((container) => (container.state?.waiting ? container : markLost(container)));
  return {
    ...status,
    ...(status.containerStatuses ? { containerStatuses: terminate(status.containerStatuses) } : {}),
    ...(status.initContainerStatuses ? { initContainerStatuses: terminate(status.initContainerStatuses) } : {}),
  };
}

export const statusManagerV120: StatusManagerProfile = {
  containersReady: containersReadyConditionV120,
  mergePodStatus: mergePodStatusV120,
  terminatedStatus: terminatedStatusV120,
  messageShares: ({ spec: { containers, initContainers = [] } }) => containers.length + initContainers.length,
  canBeDeleted: (_pod, _podIsFinished, resourcesAreReclaimed) => resourcesAreReclaimed(),
};
