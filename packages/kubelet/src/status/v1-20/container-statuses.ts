/**
 * Defines the rules for container statuses in v1.20. Upstream: convertToAPIContainerStatuses
 * (pkg/kubelet/kubelet_pods.go, v1.20).
 */
import { type ContainerStatusProfile, terminatedState } from '../container-statuses.ts';

export const containerStatusV120: ContainerStatusProfile = {
  created: (runtime) => terminatedState(runtime),
  lostContainer: ({ metadata }) => (metadata.deletionTimestamp === undefined ? 'nothing' : 'ended'),
  lostInitContainerIsDone: false,
};
