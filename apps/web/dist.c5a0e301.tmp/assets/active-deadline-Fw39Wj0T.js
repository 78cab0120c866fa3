var e=`/** Pods that may only be active for a time. Upstream: pkg/kubelet/active_deadline.go (v1.36). */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { type Instant, parseTime } from '@podscope/trace';
import type { EvictionVerdict } from './status/generate-api-pod-status.ts';

/** What the status of such a pod says. */
export const deadlineExceeded: EvictionVerdict = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** True once the pod has been active for as long as it may. */
export function isPastActiveDeadline({ spec, status }: Pod, cached: ApiPodStatus | undefined, now: Instant): boolean {
  const startTime = (cached ?? status)?.startTime;
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined) return false;
  return now - parseTime(startTime) >= spec.activeDeadlineSeconds * 1000;
}
`;export{e as default};
//# sourceMappingURL=active-deadline-Fw39Wj0T.js.map