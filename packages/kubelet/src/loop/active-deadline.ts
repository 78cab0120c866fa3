/** Decides whether a pod has exceeded its active deadline. Upstream: pkg/kubelet/active_deadline.go (v1.36). */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { type Instant, parseTime } from '@podscope/trace';
import type { EvictionVerdict } from '../status/status-input.ts';

/** The reason and message in the status of a pod that exceeded its deadline. */
export const deadlineExceeded: EvictionVerdict = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** True once the pod has been active for `activeDeadlineSeconds` since its start time. */
export function isPastActiveDeadline({ spec, status }: Pod, cached: ApiPodStatus | undefined, now: Instant): boolean {
  const startTime = (cached ?? status)?.startTime;
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined) return false;
  return now - parseTime(startTime) >= spec.activeDeadlineSeconds * 1000;
}
