/**
 * Records durations of pod starts for the kubelet's metrics. Upstream: Kubelet.SyncPod, metrics PodWorkerStartDuration
 * and PodStartDuration (v1.36).
 */
import { type PodStatus as ApiPodStatus, type Pod, podFirstSeenAnnotation } from '@podscope/k8s';
import { type Context, type Milliseconds, parseTime } from '@podscope/trace';
import type { SyncPodType } from '../pod-workers/types.ts';
import type { SyncPodDependencies } from './dependencies.ts';

const firstSeen = ({ metadata }: Pod): number | undefined => {
  const text = metadata.annotations?.[podFirstSeenAnnotation];
  return text === undefined ? undefined : parseTime(text);
};

/** Formats milliseconds as seconds, rounded to the millisecond. */
const seconds = (duration: Milliseconds): string => `${Number((duration / 1000).toFixed(3))} s`;

/** Records pod_worker_start_duration_seconds at the first sync of a pod. Runs before the other steps of the sync. */
export function recordWorkerStart(
  ctx: Context,
  { steps }: Pick<SyncPodDependencies, 'steps'>,
  updateType: SyncPodType,
  pod: Pod,
): Promise<void> {
  const seen = firstSeen(pod);
  return ctx.tracer.span(ctx, steps.recordLatency, { updateType, firstSeen: seen }, (step) => {
    if (updateType !== 'create' || seen === undefined) return;
    step.tracer.decide(step, 'latency.podWorkerStart', { firstSeen: seen }, seconds(step.clock.now() - seen), false);
  });
}

/**
 * Records pod_start_duration_seconds when the pod's status first has the phase Running. As in upstream, a pod without a
 * cached status counts, too.
 */
export function recordPodStart(
  ctx: Context,
  { statusManager }: Pick<SyncPodDependencies, 'statusManager'>,
  pod: Pod,
  status: ApiPodStatus,
): void {
  const seen = firstSeen(pod);
  const before = statusManager.getPodStatus(pod.metadata.uid);
  if (seen === undefined || !(before === undefined || (before.phase === 'Pending' && status.phase === 'Running')))
    return;
  ctx.tracer.decide(
    ctx,
    'latency.podStart',
    { firstSeen: seen, before: before?.phase ?? 'no status' },
    seconds(ctx.clock.now() - seen),
    false,
  );
}
