/** Determines the grace period of a pod's deletion. */
import type { Pod } from '@podscope/k8s';

/**
 * Returns the grace period in seconds; 0 removes the pod at once. Upstream: podStrategy.CheckGracefulDelete (v1.36).
 * @param requested the grace period of the delete options
 */
export function checkGracefulDelete(pod: Pod, requested: number | undefined): number {
  const { phase } = pod.status ?? {};
  // No kubelet would confirm that an unscheduled pod has stopped, and a finished pod needs no grace period.
  if (!pod.spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  const period = requested ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
