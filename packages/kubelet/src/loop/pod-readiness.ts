/**
 * Checks whether the Ready condition reflects the pod's readiness gates. Upstream: NeedToReconcilePodReadiness (v1.36
 * and v1.20).
 */
import type { Pod } from '@podscope/k8s';
import type { FeatureGates } from '../features.ts';
import { containersReadyCondition, podReadyCondition } from '../status/conditions.ts';

/**
 * Returns true if the API's Ready condition has another status or message than its readiness gates and container
 * statuses imply. As in upstream, the statuses of sidecars don't count, so a pod with sidecars always differs.
 * @param ofContainers computes ContainersReady as the release does
 */
export function needToReconcilePodReadiness(
  pod: Pod,
  gates: FeatureGates,
  ofContainers: typeof containersReadyCondition = containersReadyCondition,
): boolean {
  if ((pod.spec.readinessGates?.length ?? 0) === 0) return false;
  const { conditions = [], containerStatuses, phase = 'Pending' } = pod.status ?? {};
  const present = conditions.find(({ type }) => type === 'Ready');
  if (!present) return false;
  const input = { pod, status: { ...(containerStatuses && { containerStatuses }) }, phase, old: undefined, gates };
  const implied = podReadyCondition(input, conditions, ofContainers);
  return present.status !== implied.status || (present.message ?? '') !== (implied.message ?? '');
}
