/** How long a pod is given to end. */
import type { Pod } from '@podscope/k8s';

/**
 * The grace period of a deletion in seconds; 0 takes the pod out at once. Upstream: podStrategy.CheckGracefulDelete (v1.36).
 * @param requested of the delete options
 */
export function checkGracefulDelete(pod: Pod, requested: number | undefined): number {
  const { phase } = pod.status ?? {};
  // Nobody would confirm the end of a pod that no node has, and one that has ended needs none.
  if (!pod.spec.nodeName || phase === 'Failed' || phase === 'Succeeded') return 0;
  const period = requested ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
