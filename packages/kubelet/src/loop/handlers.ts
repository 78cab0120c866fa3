/** What the sync loop does with its messages. Upstream: HandlePod… (pkg/kubelet/kubelet.go, v1.36). */
import type { Pod } from '@podscope/k8s';
import type { Context, Instant } from '@podscope/trace';
import type { SyncPodType } from '../pod-workers/types.ts';
import { kubeletPoints } from '../points.ts';
import { isTerminalPhase } from '../status/merge-pod-status.ts';
import { admitPod } from './admit-pod.ts';
import type { LoopParts } from './parts.ts';
import { needToReconcilePodReadiness } from './pod-readiness.ts';
import { oldestFirst, podNames } from './pods.ts';

/** Tells a pod's worker; a mirror pod means its static pod. */
async function update({ podManager, podWorkers, allocation }: LoopParts, ctx: Context, pod: Pod, updateType: SyncPodType, startTime: Instant): Promise<void> {
  const { pod: wanted, wasMirror } = podManager.getPodAndMirrorPod(pod);
  if (!wanted) return;
  const { mirrorPod } = podManager.getPodAndMirrorPod(wanted);
  await podWorkers.updatePod(ctx, { updateType: wasMirror ? 'update' : updateType, startTime, pod: allocation.granted(wanted), mirrorPod });
}

/** Pods of the node that count for admission. Upstream: filterOutInactivePods. */
export const activePods = ({ podManager, podWorkers, statusManager }: LoopParts): readonly Pod[] =>
  podManager.getPods().filter((pod) => {
    const { uid } = pod.metadata;
    if (podWorkers.isPodKnownTerminated(uid)) return false;
    const ended = isTerminalPhase(pod.status?.phase) || isTerminalPhase(statusManager.getPodStatus(uid)?.phase);
    return !ended || podWorkers.isPodTerminationRequested(uid);
  });

/** New pods: the oldest is admitted first. */
export async function handlePodAdditions(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, podWorkers } = parts;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodAdditions, { pods: podNames(pods) }, async (inner) => {
    for (const pod of oldestFirst(pods)) {
      podManager.update(pod);
      const { uid } = pod.metadata;
      const { wasMirror } = podManager.getPodAndMirrorPod(pod);
      if (!wasMirror && !podWorkers.isPodTerminationRequested(uid) && !isTerminalPhase(pod.status?.phase)) {
        const others = activePods(parts).filter((other) => other.metadata.uid !== uid);
        const granted = parts.allocation.granted(pod);
        if (
          !(await admitPod(
            parts,
            inner,
            granted,
            others.map((other) => parts.allocation.granted(other)),
          ))
        )
          continue;
        if (parts.allocation.admitted(inner, pod)) parts.resizeConditions.restore(uid, pod.status?.conditions);
      }
      await update(parts, inner, pod, 'create', startTime);
    }
    await parts.allocation.retry(inner, 'pods_added');
  });
}

/** Changed pods, and pods that are being deleted. */
export async function handlePodUpdates(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodUpdates, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) {
      parts.podManager.update(pod);
      await parts.allocation.updated(inner, pod);
      await update(parts, inner, pod, 'update', startTime);
    }
  });
}

/** Pods that no source has any more. */
export async function handlePodRemoves(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, podWorkers, podConfig } = parts;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodRemoves, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) {
      podManager.remove(pod);
      if (podManager.getPodAndMirrorPod(pod).wasMirror) await update(parts, inner, pod, 'update', startTime);
      // Housekeeping ends it once it is sure that every source has spoken.
      else if (podConfig.allReady) await podWorkers.updatePod(inner, { updateType: 'kill', startTime, pod });
    }
    await parts.allocation.retry(inner, 'pods_removed');
  });
}

/** The status in the API changed: as a rule an echo of what the kubelet wrote itself. */
export async function handlePodReconcile(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodReconcile, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) {
      parts.podManager.update(pod);
      if (isTerminalPhase(pod.status?.phase)) await parts.allocation.retry(inner, 'pod_terminated');
    }
    const needsSync = pods.filter((pod) => needToReconcilePodReadiness(parts.statusManager, pod));
    const evicted = pods.filter(({ status }) => status?.phase === 'Failed' && status.reason === 'Evicted');
    inner.span.set({ needsSync: podNames(needsSync), evicted: podNames(evicted) });
    for (const pod of needsSync) await update(parts, inner, pod, 'sync', startTime);
    for (const { metadata } of evicted) parts.containerDeletor.deleteContainersInPod(inner, metadata.uid, undefined, true);
  });
}

/** Another look at these pods. */
export async function handlePodSyncs(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodSyncs, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) await update(parts, inner, pod, 'sync', startTime);
  });
}
