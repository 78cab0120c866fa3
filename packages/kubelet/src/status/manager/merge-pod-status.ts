/**
 * Merges the kubelet's status into the API's without changing fields that other components own. Upstream:
 * mergePodStatus (pkg/kubelet/status/status_manager.go, v1.36).
 */
import type { PodStatus as ApiPodStatus, PodCondition, PodPhase } from '@podscope/k8s';
import { formatTime, type Instant } from '@podscope/trace';
import { disruptionTarget, kubeletConditionTypes } from '../conditions.ts';

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
  const conditions: PodCondition[] = (api.conditions ?? []).filter(({ type }) => !kubeletConditionTypes.has(type));
  for (const condition of own.conditions ?? []) {
    if (kubeletConditionTypes.has(condition.type)) conditions.push(condition);
    else if (condition.type === disruptionTarget && ending && !couldHaveRunningContainers) {
      // The kubelet may have set the condition long ago; for the API, its status changes now.
      const before = api.conditions?.find(({ type }) => type === disruptionTarget);
      const same = before?.status === condition.status;
      replace(conditions, {
        ...condition,
        lastTransitionTime: (same && before?.lastTransitionTime) || formatTime(now),
      });
    }
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
  return isTerminalPhase(phase) && conditions.some(isReadyAndTrue)
    ? { ...merged, conditions: conditions.map((condition) => notReady(condition, phase, now)) }
    : merged;
}

function replace(conditions: PodCondition[], condition: PodCondition): void {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  if (at < 0) conditions.push(condition);
  else conditions[at] = condition;
}

const isReadiness = ({ type }: PodCondition): boolean => type === 'Ready' || type === 'ContainersReady';

const isReadyAndTrue = (condition: PodCondition): boolean => isReadiness(condition) && condition.status === 'True';

/** Sets a readiness condition of a finished pod to False, even if its containers were last reported ready. */
function notReady(condition: PodCondition, phase: PodPhase | undefined, now: Instant): PodCondition {
  if (!isReadiness(condition)) return condition;
  const { message: _, ...rest } = condition;
  const lastTransitionTime = condition.status === 'False' ? condition.lastTransitionTime : formatTime(now);
  return { ...rest, status: 'False', reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed', lastTransitionTime };
}
