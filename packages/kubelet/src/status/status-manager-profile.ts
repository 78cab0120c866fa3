/** What differs between releases in keeping and writing statuses. Upstream: pkg/kubelet/status/status_manager.go (v1.36 and v1.20). */
import type { PodStatus as ApiPodStatus, Pod, PodCondition } from '@podscope/k8s';
import type { Instant } from '@podscope/trace';
import { type ConditionInput, containersReadyCondition } from './conditions.ts';
import { containersReadyConditionV120 } from './conditions-v1-20.ts';
import { isTerminalPhase, mergePodStatus, mergePodStatusV120 } from './merge-pod-status.ts';
import { terminatedStatus, terminatedStatusV120 } from './terminated-status.ts';

export interface StatusManagerProfile {
  readonly containersReady: (input: ConditionInput) => PodCondition;
  /** What to write, from the API's status and the kubelet's. */
  readonly mergePodStatus: (api: ApiPodStatus, own: ApiPodStatus, couldHaveRunningContainers: boolean, now: Instant) => ApiPodStatus;
  /** The final form of a status. */
  readonly terminatedStatus: (pod: Pod, status: ApiPodStatus) => ApiPodStatus;
  /** True when the object of a deleted pod may go. */
  readonly nothingIsLeft: (pod: Pod, podIsFinished: boolean, resourcesAreReclaimed: () => boolean) => boolean;
}

export const statusManagerV136: StatusManagerProfile = {
  containersReady: containersReadyCondition,
  mergePodStatus,
  terminatedStatus,
  nothingIsLeft: ({ status }, podIsFinished) => podIsFinished && isTerminalPhase(status?.phase),
};

export const statusManagerV120: StatusManagerProfile = {
  containersReady: containersReadyConditionV120,
  mergePodStatus: mergePodStatusV120,
  terminatedStatus: terminatedStatusV120,
  nothingIsLeft: (_pod, _podIsFinished, resourcesAreReclaimed) => resourcesAreReclaimed(),
};
