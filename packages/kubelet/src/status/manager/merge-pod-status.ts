/**
 * Merges the kubelet's status into the API's without changing fields that other components own. Upstream:
 * mergePodStatus (pkg/kubelet/status/status_manager.go, v1.36).
 */
import type { PodStatus as ApiPodStatus, PodCondition, PodPhase } from '@podscope/k8s';
import { formatTime, type Instant } from '@podscope/trace';
import { disruptionTarget, kubeletConditionTypes, withCondition } from '../conditions.ts';
import { withTransitionTime } from './normalize-status.ts';

/** True for Succeeded and Failed, which are final. */
export const isTerminalPhase = (phase: PodPhase | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Returns the status to write. A pod whose containers may still run doesn't get a terminal phase. */
export function mergePodStatus(
  api: ApiPodStatus,
  own: ApiPodStatus,
  couldHaveRunningContainers: boolean,
  now: Instant,
): ApiPodStatus {
  const ending = !isTerminalPhase(api.phase) && isTerminalPhase(own.phase);
  let conditions: readonly PodCondition[] = (api.conditions ?? []).filter(
    ({ type }) => !kubeletConditionTypes.has(type),
  );
  for (const condition of own.conditions ?? []) {
    if (kubeletConditionTypes.has(condition.type)) conditions = [...conditions, condition];
    // The condition is written together with the terminal phase, so this is the time of its change.
    else if (condition.type === disruptionTarget && ending && !couldHaveRunningContainers)
      conditions = withCondition(conditions, withTransitionTime(api, condition, now));
  }
  const withheld = ending && couldHaveRunningContainers;
  const phase = withheld ? api.phase : own.phase;
  const { reason: ownReason, message: ownMessage, ...rest } = own;
  const reason = withheld ? api.reason : ownReason;
  const message = withheld ? api.message : ownMessage;
  const merged: ApiPodStatus = {
    ...rest,
    phase,
    conditions,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
  const isReady = conditions.some((condition) => isReadiness(condition) && condition.status === 'True');
  return isTerminalPhase(phase) && isReady
    ? { ...merged, conditions: conditions.map((condition) => notReady(condition, phase, now)) }
    : merged;
}

const isReadiness = ({ type }: PodCondition): boolean => type === 'Ready' || type === 'ContainersReady';

/** Sets a readiness condition of a finished pod to False, because its containers were last reported ready. */
function notReady(condition: PodCondition, phase: PodPhase | undefined, now: Instant): PodCondition {
  if (!isReadiness(condition)) return condition;
  const { message: _, ...rest } = condition;
  const lastTransitionTime = condition.status === 'False' ? condition.lastTransitionTime : formatTime(now);
  return { ...rest, status: 'False', reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed', lastTransitionTime };
}
