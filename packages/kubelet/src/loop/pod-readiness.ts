/** Whether what others say of a pod's readiness shows in its status yet. Upstream: NeedToReconcilePodReadiness (v1.36 and v1.20). */
import type { Pod } from '@podscope/k8s';
import type { StatusManager } from '../status/status-manager.ts';

/** A readiness gate was set, and `Ready` does not show it. */
export function needToReconcilePodReadiness(statusManager: StatusManager, pod: Pod): boolean {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return false;
  const conditions = pod.status?.conditions ?? [];
  const isTrue = (type: string): boolean => conditions.some((condition) => condition.type === type && condition.status === 'True');
  const containersReady = statusManager.getPodStatus(pod.metadata.uid)?.conditions?.some(({ type, status }) => type === 'ContainersReady' && status === 'True');
  return (containersReady === true && gates.every(({ conditionType }) => isTrue(conditionType))) !== isTrue('Ready');
}
