/** One pass over a pod that should run, step by step. Upstream: Kubelet.SyncPod (pkg/kubelet/kubelet.go, v1.36). */
import { type PodStatus as ApiPodStatus, isStaticPod, type Pod, type Secret } from '@podscope/k8s';
import type { EventRecorder, PodStatus, PodSyncResult } from '@podscope/kuberuntime';
import type { Context, SpanContext } from '@podscope/trace';
import { describeResize } from '../allocation/allocation-manager.ts';
import type { SyncPodOutcome, SyncPodType } from '../pod-workers/types.ts';
import { podWorkerPoints, syncPodKubeletSteps as steps } from '../points.ts';
import { isTerminalPhase } from '../status/merge-pod-status.ts';
import { allContainersRestarting } from '../status/restart-all-containers.ts';
import {
  checkNetwork,
  generateStatus,
  getPullSecrets,
  makePodDataDirs,
  observedStatus,
  reconcileMirrorPod,
  updateReasonCache,
  waitForVolumes,
} from './common-steps.ts';
import { ensurePodCgroup } from './ensure-pod-cgroup.ts';
import { recordPodStart, recordWorkerStart } from './latency.ts';
import { type PodSyncParts, untilTheEnd } from './parts.ts';

/**
 * Brings the node in line with the pod.
 * @returns whether the pod has ended.
 * @throws Error when the pass must be repeated soon.
 */
export function syncPod(
  parts: PodSyncParts,
  ctx: Context,
  updateType: SyncPodType,
  pod: Pod,
  mirrorPod: Pod | undefined,
  podStatus: PodStatus,
): Promise<SyncPodOutcome> {
  let apiStatus: ApiPodStatus | undefined;
  const exposures = { pod: () => pod, mirrorPod: () => mirrorPod, podStatus: () => podStatus, apiStatus: () => apiStatus };
  const body = async (inner: SpanContext): Promise<SyncPodOutcome> => {
    const { uid } = pod.metadata;
    await recordWorkerStart(parts, inner, updateType, pod);
    updateResizeInProgress(parts, inner, pod, podStatus);
    const status = await generateStatus(parts, inner, pod, podStatus);
    apiStatus = status;
    const observed = observedStatus(podStatus, status);
    recordPodStart(parts, inner, pod, status);
    await inner.tracer.span(inner, steps.setPodStatus, { phase: status.phase }, (step) => parts.statusManager.setPodStatus(step, pod, status));
    if (isTerminalPhase(status.phase)) return { isTerminal: true };

    await checkNetwork(parts, inner, pod);
    if (!parts.isPodTerminationRequested(uid)) await ensurePodCgroup(parts, inner, pod, podStatus, status);
    if (isStaticPod(pod)) await reconcileMirrorPod(parts, inner, pod, mirrorPod);
    await makePodDataDirs(parts, inner, pod);
    await waitForVolumes(parts, inner, pod);
    const pullSecrets = await getPullSecrets(parts, inner, pod);
    await inner.tracer.span(inner, steps.addPodProbes, {}, () => parts.probeManager.addPod(pod));
    const result = await runtimeSyncPod(parts, inner, pod, observed, pullSecrets, status);

    const error = result.error();
    if (error) throw error;
    if (result.syncResults.length === 0) return { isTerminal: false };
    return { isTerminal: false, postSync: () => parts.requestPodRelist(inner, uid) };
  };
  return ctx.tracer.span(ctx, podWorkerPoints.syncPod, { updateType }, body, exposures);
}

async function runtimeSyncPod(
  parts: PodSyncParts,
  ctx: Context,
  pod: Pod,
  podStatus: PodStatus,
  pullSecrets: readonly Secret[],
  status: ApiPodStatus,
): Promise<PodSyncResult> {
  const { gates, runtime, statusManager } = parts;
  const restartAll =
    gates.RestartAllContainersOnContainerExits &&
    (status.conditions?.some((condition) => condition.type === allContainersRestarting && condition.status === 'True') ?? false);
  const result = await ctx.tracer.span(ctx, steps.runtimeSyncPod, { restartAllContainers: restartAll }, (step) =>
    runtime.syncPod(untilTheEnd(parts, step), pod, podStatus, pullSecrets, parts.backOff(), restartAll),
  );
  await updateReasonCache(parts, ctx, pod, result);
  if (restartAll && !result.error() && result.syncResults.some(({ action }) => action === 'RemoveContainer')) parts.resync(ctx, pod);
  if (applyResizeResult(parts, ctx, pod, result)) {
    const current = statusManager.getPodStatus(pod.metadata.uid);
    if (current) statusManager.setPodStatus(ctx, pod, parts.generateStatus(ctx, pod, podStatus, false));
  }
  return result;
}

/** While something that runs has other resources than were granted, the condition PodResizeInProgress says so. No step of its own: it calls nothing. */
function updateResizeInProgress({ gates, runtime, resizeConditions, deps }: PodSyncParts, ctx: Context, pod: Pod, podStatus: PodStatus): void {
  if (!gates.InPlacePodVerticalScaling) return;
  const { uid, generation } = pod.metadata;
  if (!runtime.isPodResizeInProgress(pod, podStatus)) {
    if (resizeConditions.clear(uid, 'PodResizeInProgress')) tellResizeCompleted(deps.recorder, ctx, pod);
  } else if (!resizeConditions.get(uid).some(({ type }) => type === 'PodResizeInProgress')) {
    // One that is there keeps its reason and message.
    resizeConditions.set(uid, 'PodResizeInProgress', generation, '', '');
  }
}

const tellResizeCompleted = (recorder: EventRecorder, ctx: Context, pod: Pod): void =>
  recorder.event(ctx, pod, 'Normal', 'ResizeCompleted', `Pod resize completed: ${describeResize(pod)}`);

/** A failed resize shows in the condition PodResizeInProgress until one succeeds. @returns true when that changed. */
function applyResizeResult({ resizeConditions, deps }: PodSyncParts, ctx: Context, pod: Pod, result: PodSyncResult): boolean {
  const resize = result.syncResults.find(({ action }) => action === 'ResizePodInPlace');
  if (!resize) return false;
  const { uid, generation } = pod.metadata;
  if (!resize.error) {
    const completed = resizeConditions.clear(uid, 'PodResizeInProgress');
    if (completed) tellResizeCompleted(deps.recorder, ctx, pod);
    return completed;
  }
  const changed = resizeConditions.set(uid, 'PodResizeInProgress', generation, 'Error', resize.message);
  if (changed) {
    deps.recorder.event(ctx, pod, 'Warning', 'ResizeError', `Pod resize error: ${describeResize(pod, resize.message)}`);
  }
  return changed;
}
