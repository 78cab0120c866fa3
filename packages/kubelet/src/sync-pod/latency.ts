/** How long pods wait, as metrics of the kubelet count it. Upstream: Kubelet.SyncPod, metrics PodWorkerStartDuration and PodStartDuration (v1.36). */
import { type PodStatus as ApiPodStatus, type Pod, podFirstSeenAnnotation } from '@podscope/k8s';
import { type Context, parseTime } from '@podscope/trace';
import type { SyncPodType } from '../pod-workers/types.ts';
import type { PodSyncParts } from './parts.ts';

const firstSeen = ({ metadata }: Pod): number | undefined => {
  const text = metadata.annotations?.[podFirstSeenAnnotation];
  return text === undefined ? undefined : parseTime(text);
};

/** The step before all others: pod_worker_start_duration_seconds, at a pod's first sync. */
export function recordWorkerStart({ steps }: Pick<PodSyncParts, 'steps'>, ctx: Context, updateType: SyncPodType, pod: Pod): Promise<void> {
  const seen = firstSeen(pod);
  return ctx.tracer.span(ctx, steps.recordLatency, { updateType, firstSeen: seen }, (step) => {
    if (updateType !== 'create' || seen === undefined) return;
    step.tracer.decide(step, 'latency.podWorkerStart', { firstSeen: seen }, `${(step.clock.now() - seen) / 1000} s`, false);
  });
}

/** pod_start_duration_seconds: counted when a pod is first seen to run; and when it has no status yet, a quirk of the kubelet's. */
export function recordPodStart({ statusManager }: Pick<PodSyncParts, 'statusManager'>, ctx: Context, pod: Pod, status: ApiPodStatus): void {
  const seen = firstSeen(pod);
  const before = statusManager.getPodStatus(pod.metadata.uid);
  if (seen === undefined || !(before === undefined || (before.phase === 'Pending' && status.phase === 'Running'))) return;
  ctx.tracer.decide(ctx, 'latency.podStart', { firstSeen: seen, before: before?.phase ?? 'no status' }, `${(ctx.clock.now() - seen) / 1000} s`, false);
}
