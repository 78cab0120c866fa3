/**
 * Checks whether the Ready condition reflects the pod's readiness gates. Upstream: NeedToReconcilePodReadiness (v1.36
 * and v1.20).
 */
import type { Pod } from '@podscope/k8s';
import type { StatusManager } from '../status/manager/status-manager.ts';

/** True when a readiness gate has changed and the Ready condition doesn't show it yet. */
export function needToReconcilePodReadiness(statusManager: StatusManager, pod: Pod): boolean {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return false;
  const conditions = pod.status?.conditions ?? [];
  const isTrue = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === 'True');
  const containersReady = statusManager
    .getPodStatus(pod.metadata.uid)
    ?.conditions?.some(({ type, status }) => type === 'ContainersReady' && status === 'True');
  return (containersReady === true && gates.every(({ conditionType }) => isTrue(conditionType))) !== isTrue('Ready');
}
