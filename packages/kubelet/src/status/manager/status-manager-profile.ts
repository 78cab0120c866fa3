/**
 * Declares the differences between releases in storing and writing statuses. Upstream:
 * pkg/kubelet/status/status_manager.go (v1.36 and v1.20).
 */
import type { PodStatus as ApiPodStatus, Pod, PodCondition } from '@podscope/k8s';
import type { Instant } from '@podscope/trace';
import { type ConditionInput, containersReadyCondition } from '../conditions.ts';
import { terminatedStatus } from '../terminated-status.ts';
import { isTerminalPhase, mergePodStatus } from './merge-pod-status.ts';

export interface StatusManagerProfile {
  readonly containersReady: (input: ConditionInput) => PodCondition;
  /** Returns the status to write, merged from the API's status and the kubelet's. */
  readonly mergePodStatus: (
    api: ApiPodStatus,
    own: ApiPodStatus,
    couldHaveRunningContainers: boolean,
    now: Instant,
  ) => ApiPodStatus;
  /** Returns the last status of a pod, after its resources were released. */
  readonly terminatedStatus: (pod: Pod, status: ApiPodStatus) => ApiPodStatus;
  /** The number of containers that share the limit of a pod's termination messages. */
  readonly messageShares: (pod: Pod) => number;
  /** True when the API object of a deleted pod can be removed. */
  readonly canBeDeleted: (pod: Pod, podIsFinished: boolean, resourcesAreReclaimed: () => boolean) => boolean;
}

export const statusManagerV136: StatusManagerProfile = {
  containersReady: containersReadyCondition,
  mergePodStatus,
  terminatedStatus,
  messageShares: ({ spec: { containers, initContainers = [], ephemeralContainers = [] } }) =>
    containers.length + initContainers.length + ephemeralContainers.length,
  canBeDeleted: ({ status }, podIsFinished) => podIsFinished && isTerminalPhase(status?.phase),
};
