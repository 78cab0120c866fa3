/** What the sync loop does with its messages. Upstream: HandlePod… (pkg/kubelet/kubelet.go, v1.36). */
import { getPodQOS, type Node, type Pod } from '@podscope/k8s';
import type { Context, Instant } from '@podscope/trace';
import { canAdmitPod } from '../admission/admission.ts';
import type { Rejection } from '../admission/types.ts';
import { nodeAllocatable } from '../node-allocatable.ts';
import type { SyncPodType } from '../pod-workers/types.ts';
import { kubeletPoints } from '../points.ts';
import { isTerminalPhase } from '../status/merge-pod-status.ts';
import type { LoopParts } from './parts.ts';

const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);

/** Tells a pod's worker; a mirror pod means its static pod. */
function update({ podManager, podWorkers }: LoopParts, ctx: Context, pod: Pod, updateType: SyncPodType, startTime: Instant): void {
  const { pod: wanted, wasMirror } = podManager.getPodAndMirrorPod(pod);
  if (!wanted) return;
  const { mirrorPod } = podManager.getPodAndMirrorPod(wanted);
  podWorkers.updatePod(ctx, { updateType: wasMirror ? 'update' : updateType, startTime, pod: wanted, mirrorPod });
}

/** Pods of the node that count for admission. Upstream: filterOutInactivePods. */
export const activePods = ({ podManager, podWorkers, statusManager }: LoopParts): readonly Pod[] =>
  podManager.getPods().filter((pod) => {
    const { uid } = pod.metadata;
    if (podWorkers.isPodKnownTerminated(uid)) return false;
    const ended = isTerminalPhase(pod.status?.phase) || isTerminalPhase(statusManager.getPodStatus(uid)?.phase);
    return !ended || podWorkers.isPodTerminationRequested(uid);
  });

/** The node with what it can give; what the API does not say comes from the settings. */
async function nodeForAdmission({ client, node }: LoopParts): Promise<Node | undefined> {
  const found = await client.getNode();
  if (!found) return undefined;
  const allocatable = { ...nodeAllocatable(node), ...found.status?.allocatable };
  return { ...found, status: { ...found.status, allocatable } };
}

/** Upstream: rejectPod. */
function rejectPod({ recorder, statusManager }: LoopParts, ctx: Context, pod: Pod, { reason, message }: Rejection): void {
  recorder.event(ctx, pod, 'Warning', reason, message);
  statusManager.setPodStatus(ctx, pod, { phase: 'Failed', qosClass: getPodQOS(pod), reason, message: `Pod was rejected: ${message}` });
}

/** Static pods have no creation time and come first. */
const createdAt = ({ metadata }: Pod): number => (metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : 0);

/** New pods: the oldest is admitted first. */
export async function handlePodAdditions(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, podWorkers, node } = parts;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodAdditions, { pods: names(pods) }, async (inner) => {
    for (const pod of pods.toSorted((a, b) => createdAt(a) - createdAt(b))) {
      podManager.update(pod);
      const { uid, namespace = '', name } = pod.metadata;
      const { wasMirror } = podManager.getPodAndMirrorPod(pod);
      if (!wasMirror && !podWorkers.isPodTerminationRequested(uid) && !isTerminalPhase(pod.status?.phase)) {
        const others = activePods(parts).filter((other) => other.metadata.uid !== uid);
        const podCtx = { ...inner, pod: { uid, namespace, name } };
        const rejection = canAdmitPod(podCtx, { pod, others, node: await nodeForAdmission(parts), nodeName: node.name });
        if (rejection) {
          rejectPod(parts, podCtx, pod, rejection);
          continue;
        }
      }
      update(parts, inner, pod, 'create', startTime);
    }
  });
}

/** Changed pods, and pods that are being deleted. */
export async function handlePodUpdates(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodUpdates, { pods: names(pods) }, (inner) => {
    for (const pod of pods) {
      parts.podManager.update(pod);
      update(parts, inner, pod, 'update', startTime);
    }
  });
}

/** Pods that no source has any more. */
export async function handlePodRemoves(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, podWorkers, podConfig } = parts;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodRemoves, { pods: names(pods) }, (inner) => {
    for (const pod of pods) {
      podManager.remove(pod);
      if (podManager.getPodAndMirrorPod(pod).wasMirror) update(parts, inner, pod, 'update', startTime);
      // Housekeeping ends it once it is sure that every source has spoken.
      else if (podConfig.allReady) podWorkers.updatePod(inner, { updateType: 'kill', startTime, pod });
    }
  });
}

/** The status in the API changed. */
export async function handlePodReconcile(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const needsSync: Pod[] = [];
  const evicted: Pod[] = [];
  for (const pod of pods) {
    parts.podManager.update(pod);
    if (readinessDiffers(parts, pod)) needsSync.push(pod);
    if (pod.status?.phase === 'Failed' && pod.status.reason === 'Evicted') evicted.push(pod);
  }
  if (needsSync.length === 0 && evicted.length === 0) return;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodReconcile, { pods: names([...needsSync, ...evicted]) }, (inner) => {
    for (const pod of needsSync) update(parts, inner, pod, 'sync', startTime);
    for (const { metadata } of evicted) parts.containerDeletor.deleteContainersInPod(inner, metadata.uid, undefined, true);
  });
}

/** A readiness gate was set, and `Ready` does not show it yet. Upstream: NeedToReconcilePodReadiness. */
function readinessDiffers({ statusManager }: LoopParts, pod: Pod): boolean {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return false;
  const conditions = pod.status?.conditions ?? [];
  const isTrue = (type: string): boolean => conditions.some((condition) => condition.type === type && condition.status === 'True');
  const containersReady = statusManager.getPodStatus(pod.metadata.uid)?.conditions?.some(({ type, status }) => type === 'ContainersReady' && status === 'True');
  return (containersReady === true && gates.every(({ conditionType }) => isTrue(conditionType))) !== isTrue('Ready');
}

/** Another look at these pods. */
export async function handlePodSyncs(parts: LoopParts, ctx: Context, pods: readonly Pod[]): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodSyncs, { pods: names(pods) }, (inner) => {
    for (const pod of pods) update(parts, inner, pod, 'sync', startTime);
  });
}
