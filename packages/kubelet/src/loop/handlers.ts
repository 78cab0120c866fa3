/** Handles the messages of the sync loop. Upstream: HandlePod… (pkg/kubelet/kubelet.go, v1.36). */
import { kubeletPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import type { Context, Instant } from '@podscope/trace';
import { nodeDeclaredFeatures, unsupportedUpdate } from '../admission/declared-features.ts';
import { actualRequestsShrank } from '../allocation/actual-requests.ts';
import type { RetryTrigger } from '../allocation/allocation-manager.ts';
import type { SyncPodType } from '../pod-workers/types.ts';
import { isTerminalPhase } from '../status/manager/merge-pod-status.ts';
import { admitPod } from './admit-pod.ts';
import type { PodHandlerDependencies } from './dependencies.ts';
import { needToReconcilePodReadiness } from './pod-readiness.ts';
import { oldestFirst, podNames } from './pods.ts';

/** Sends an update to the pod's worker. An update of a mirror pod goes to the worker of its static pod. */
async function update(
  ctx: Context,
  { podManager, podWorkers, allocation }: PodHandlerDependencies,
  pod: Pod,
  updateType: SyncPodType,
  startTime: Instant,
): Promise<void> {
  const { pod: wanted, wasMirror } = podManager.getPodAndMirrorPod(pod);
  if (!wanted) return;
  const { mirrorPod } = podManager.getPodAndMirrorPod(wanted);
  await podWorkers.updatePod(ctx, {
    updateType: wasMirror ? 'update' : updateType,
    startTime,
    pod: allocation.granted(wanted),
    mirrorPod,
  });
}

/** Returns the pods that use the node's resources, for admission. Upstream: filterOutInactivePods. */
export const activePods = ({ podManager, podWorkers, statusManager }: PodHandlerDependencies): readonly Pod[] =>
  podManager.getPods().filter((pod) => {
    const { uid } = pod.metadata;
    if (podWorkers.isPodKnownTerminated(uid)) return false;
    const ended = isTerminalPhase(pod.status?.phase) || isTerminalPhase(statusManager.getPodStatus(uid)?.phase);
    return !ended || podWorkers.isPodTerminationRequested(uid);
  });

/** Admits new pods, the oldest first, and creates their workers. */
export async function handlePodAdditions(
  ctx: Context,
  dependencies: PodHandlerDependencies,
  pods: readonly Pod[],
): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, podWorkers, allocation, resizeConditions } = dependencies;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodAdditions, { pods: podNames(pods) }, async (inner) => {
    let hasPendingResize = false;
    for (const pod of oldestFirst(pods)) {
      podManager.update(pod);
      const { uid } = pod.metadata;
      const { wasMirror } = podManager.getPodAndMirrorPod(pod);
      if (!wasMirror && !podWorkers.isPodTerminationRequested(uid) && !isTerminalPhase(pod.status?.phase)) {
        const others = activePods(dependencies).filter((other) => other.metadata.uid !== uid);
        const granted = others.map((other) => allocation.granted(other));
        if (!(await admitPod(inner, dependencies, allocation.granted(pod), granted))) continue;
        hasPendingResize = allocation.admitted(pod) || hasPendingResize;
      }
      await update(inner, dependencies, pod, 'create', startTime);
    }
    // Resizes are decided after all pods of the message have been added.
    for (const { metadata, status } of pods) resizeConditions.restore(metadata.uid, startTime, status?.conditions);
    if (hasPendingResize) await allocation.retry(inner, 'pods_added');
  });
}

/** Sends pods that have changed or are being deleted to their workers. */
export async function handlePodUpdates(
  ctx: Context,
  dependencies: PodHandlerDependencies,
  pods: readonly Pod[],
): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, recorder, gates } = dependencies;
  const declaredFeatures = nodeDeclaredFeatures(gates);
  await ctx.tracer.span(ctx, kubeletPoints.handlePodUpdates, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) {
      const before = podManager.getPodByUID(pod.metadata.uid);
      podManager.update(pod);
      await dependencies.allocation.updated(inner, before, pod);
      const unsupported = before && unsupportedUpdate(before, pod, declaredFeatures);
      // The pod continues to run despite the unsupported change.
      if (unsupported !== undefined)
        recorder.event(inner, pod, 'Warning', 'FailedNodeDeclaredFeaturesCheck', unsupported);
      await update(inner, dependencies, pod, 'update', startTime);
    }
  });
}

/** Terminates pods that no source delivers any more. */
export async function handlePodRemoves(
  ctx: Context,
  dependencies: PodHandlerDependencies,
  pods: readonly Pod[],
): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  const { podManager, podWorkers, podConfig, allocation } = dependencies;
  await ctx.tracer.span(ctx, kubeletPoints.handlePodRemoves, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) {
      podManager.remove(pod);
      allocation.remove(pod.metadata.uid);
      if (podManager.getPodAndMirrorPod(pod).wasMirror) await update(inner, dependencies, pod, 'update', startTime);
      // Until every source has delivered its pods, another source may still want this pod. Housekeeping terminates the
      // pod later.
      else if (podConfig.allReady) await podWorkers.updatePod(inner, { updateType: 'kill', startTime, pod });
    }
    await allocation.retry(inner, 'pods_removed');
  });
}

/** Handles a changed status in the API, usually one that the kubelet wrote itself. */
export async function handlePodReconcile(
  ctx: Context,
  dependencies: PodHandlerDependencies,
  pods: readonly Pod[],
): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodReconcile, { pods: podNames(pods) }, async (inner) => {
    const { podManager, allocation, gates } = dependencies;
    let trigger: RetryTrigger | undefined;
    for (const pod of pods) {
      const found = podManager.getPodAndMirrorPod(pod);
      const before = found.wasMirror ? found.mirrorPod : podManager.getPodByUID(pod.metadata.uid);
      podManager.update(pod);
      if (trigger || !before || !allocation.hasPending) continue;
      if (isTerminalPhase(pod.status?.phase) && !isTerminalPhase(before.status?.phase)) trigger = 'pod_terminated';
      // Requested resources that haven't been granted don't count here.
      if (actualRequestsShrank(allocation.granted(before), allocation.granted(pod), gates.PodLevelResources))
        trigger = 'pod_resized';
    }
    const needsSync = pods.filter((pod) => needToReconcilePodReadiness(pod, dependencies.gates));
    const evicted = pods.filter(({ status }) => status?.phase === 'Failed' && status.reason === 'Evicted');
    inner.span.set({ needsSync: podNames(needsSync), evicted: podNames(evicted) });
    for (const pod of needsSync) await update(inner, dependencies, pod, 'sync', startTime);
    for (const { metadata } of evicted)
      dependencies.containerDeletor.deleteContainersInPod(inner, metadata.uid, undefined, true);
    if (trigger) await allocation.retry(inner, trigger);
  });
}

/** Requests a sync of these pods from their workers. */
export async function handlePodSyncs(
  ctx: Context,
  dependencies: PodHandlerDependencies,
  pods: readonly Pod[],
): Promise<void> {
  if (pods.length === 0) return;
  const startTime = ctx.clock.now();
  await ctx.tracer.span(ctx, kubeletPoints.handlePodSyncs, { pods: podNames(pods) }, async (inner) => {
    for (const pod of pods) await update(inner, dependencies, pod, 'sync', startTime);
  });
}
