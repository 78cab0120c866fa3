/** Syncs a pod that should run, step by step. Upstream: Kubelet.SyncPod (pkg/kubelet/kubelet.go, v1.36). */
import { kubeletPoints, kubeletSyncPodPoints as steps } from '@podscope/flow';
import { type PodStatus as ApiPodStatus, isStaticPod, type Pod, type Secret } from '@podscope/k8s';
import type { PodStatus, PodSyncResult } from '@podscope/kuberuntime';
import type { Context, SpanContext } from '@podscope/trace';
import { describeResize } from '../allocation/allocation-manager.ts';
import type { SyncPodOutcome, SyncPodType } from '../pod-workers/types.ts';
import { isTerminalPhase } from '../status/manager/merge-pod-status.ts';
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
import { type SyncPodDependencies, withRunSignal } from './dependencies.ts';
import { ensurePodCgroup } from './ensure-pod-cgroup.ts';
import { recordPodStart, recordWorkerStart } from './latency.ts';

/**
 * Starts, changes and stops containers until the node matches the pod.
 * @returns whether the pod has finished
 * @throws Error when the sync must be repeated soon
 */
export function syncPod(
  ctx: Context,
  dependencies: SyncPodDependencies,
  updateType: SyncPodType,
  pod: Pod,
  mirrorPod: Pod | undefined,
  podStatus: PodStatus,
): Promise<SyncPodOutcome> {
  let apiStatus: ApiPodStatus | undefined;
  const exposures = {
    pod: () => pod,
    mirrorPod: () => mirrorPod,
    podStatus: () => podStatus,
    apiStatus: () => apiStatus,
  };
  const body = async (inner: SpanContext): Promise<SyncPodOutcome> => {
    const { uid } = pod.metadata;
    await recordWorkerStart(inner, dependencies, updateType, pod);
    updateResizeInProgress(inner, dependencies, pod, podStatus);
    const status = await generateStatus(inner, dependencies, pod, podStatus);
    apiStatus = status;
    const observed = observedStatus(podStatus, status);
    const isTerminal = isTerminalPhase(status.phase);
    if (!isTerminal) recordPodStart(inner, dependencies, pod, status);
    await inner.tracer.span(inner, steps.setPodStatus, { phase: status.phase }, (step) =>
      dependencies.statusManager.setPodStatus(step, pod, status),
    );
    if (isTerminal) return { isTerminal };

    await checkNetwork(inner, dependencies, pod);
    if (!dependencies.isPodTerminationRequested(uid)) {
      const outcome = await ensurePodCgroup(inner, dependencies, pod, podStatus, status);
      if (outcome === 'cancelled') return { isTerminal: false };
    }
    if (isStaticPod(pod)) await reconcileMirrorPod(inner, dependencies, pod, mirrorPod);
    await makePodDataDirs(inner, dependencies, pod);
    await waitForVolumes(inner, dependencies, pod);
    const pullSecrets = await getPullSecrets(inner, dependencies, pod);
    await inner.tracer.span(inner, steps.addPodProbes, {}, () => dependencies.probeManager.addPod(pod));
    const result = await runtimeSyncPod(inner, dependencies, pod, observed, pullSecrets, status);
    reportResizeError(inner, dependencies, pod, result);

    const error = result.error();
    if (error) throw error;
    if (result.syncResults.length === 0) return { isTerminal: false };
    return { isTerminal: false, postSync: () => dependencies.requestPodRelist(inner, uid) };
  };
  return ctx.tracer.span(ctx, kubeletPoints.syncPod, { updateType }, body, exposures);
}

async function runtimeSyncPod(
  ctx: Context,
  dependencies: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
  pullSecrets: readonly Secret[],
  status: ApiPodStatus,
): Promise<PodSyncResult> {
  const { gates, runtime } = dependencies;
  const restartAll =
    gates.RestartAllContainersOnContainerExits &&
    (status.conditions?.some(
      (condition) => condition.type === allContainersRestarting && condition.status === 'True',
    ) ??
      false);
  const result = await ctx.tracer.span(ctx, steps.runtimeSyncPod, { restartAllContainers: restartAll }, (step) =>
    runtime.syncPod(withRunSignal(step, dependencies), pod, podStatus, pullSecrets, dependencies.backOff(), restartAll),
  );
  await updateReasonCache(ctx, dependencies, pod, result);
  if (restartAll && !result.error() && result.syncResults.some(({ action }) => action === 'RemoveContainer'))
    dependencies.resync(ctx, pod);
  return result;
}

/**
 * Sets PodResizeInProgress while a running container's resources differ from the granted ones, and reports a resize
 * that the previous sync has completed. Makes no calls and isn't a step of its own.
 */
function updateResizeInProgress(
  ctx: Context,
  { gates, runtime, resizeConditions, recorder }: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
): void {
  if (!gates.InPlacePodVerticalScaling) return;
  const { uid, generation } = pod.metadata;
  if (runtime.isPodResizeInProgress(pod, podStatus)) {
    resizeConditions.setInProgress(uid, ctx.clock.now(), { observedGeneration: generation });
    return;
  }
  const cleared = resizeConditions.clear(uid, 'PodResizeInProgress');
  if (!cleared) return;
  const message = `Pod resize completed: ${describeResize(pod, cleared.observedGeneration)}`;
  recorder.event(ctx, pod, 'Normal', 'ResizeCompleted', message);
}

/**
 * Records a failed resize in the condition PodResizeInProgress. The API shows it from the next status on. Whether a
 * resize is complete is decided by the next sync.
 */
function reportResizeError(
  ctx: Context,
  { gates, resizeConditions, recorder }: SyncPodDependencies,
  pod: Pod,
  result: PodSyncResult,
): void {
  if (!gates.InPlacePodVerticalScaling) return;
  const resize = result.syncResults.find(({ action, error }) => action === 'ResizePodInPlace' && error);
  if (!resize) return;
  const { uid, generation } = pod.metadata;
  const text = { reason: 'Error', message: resize.message, observedGeneration: generation };
  const { condition, changed } = resizeConditions.setInProgress(uid, ctx.clock.now(), text);
  if (!changed) return;
  const message = `Pod resize error: ${describeResize(pod, condition.observedGeneration, resize.message)}`;
  recorder.event(ctx, pod, 'Warning', 'ResizeError', message);
}
