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

/** pod_start_duration_seconds: told when a pod is first seen to run, or has no status yet. */
export function recordPodStart({ statusManager }: Pick<PodSyncParts, 'statusManager'>, ctx: Context, pod: Pod, status: ApiPodStatus): void {
  const seen = firstSeen(pod);
  const old = statusManager.getPodStatus(pod.metadata.uid);
  if (seen === undefined || !(old === undefined ? status.phase === 'Running' : old.phase === 'Pending' && status.phase === 'Running')) return;
  ctx.tracer.decide(ctx, 'latency.podStart', { firstSeen: seen }, `${(ctx.clock.now() - seen) / 1000} s`, false);
}
