/** One pass over a pod that should run, step by step. Upstream: Kubelet.SyncPod (pkg/kubelet/kubelet.go, v1.36). */
import { type PodStatus as ApiPodStatus, getPodQOS, isStaticPod, type Pod, podFirstSeenAnnotation, type Secret } from '@podscope/k8s';
import type { PodStatus, PodSyncResult } from '@podscope/kuberuntime';
import { type Context, parseTime, type SpanContext } from '@podscope/trace';
import { networkNotReadyText } from '../pod-workers/retry-delay.ts';
import type { SyncPodOutcome, SyncPodType } from '../pod-workers/types.ts';
import { podWorkerPoints, syncPodKubeletSteps as steps } from '../points.ts';
import { isTerminalPhase } from '../status/merge-pod-status.ts';
import { allContainersRestarting } from '../status/restart-all-containers.ts';
import { errorText } from '../util/error-text.ts';
import { VolumeTimeoutError } from '../volumes/volume-manager.ts';
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
    if (updateType === 'create') recordWorkerStart(inner, pod);
    const status = await generateStatus(parts, inner, pod, podStatus);
    apiStatus = status;
    const observed: PodStatus = { ...podStatus, ips: status.podIPs?.map(({ ip }) => ip) ?? (status.podIP ? [status.podIP] : []) };
    recordPodStart(parts, inner, pod, status);
    await inner.tracer.span(inner, steps.setPodStatus, { phase: status.phase }, (step) => parts.statusManager.setPodStatus(step, pod, status));
    if (isTerminalPhase(status.phase)) return { isTerminal: true };

    await checkNetwork(parts, inner, pod);
    if (!parts.isPodTerminationRequested(uid)) await ensurePodCgroup(parts, inner, pod);
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

const firstSeen = ({ metadata }: Pod): number | undefined => {
  const text = metadata.annotations?.[podFirstSeenAnnotation];
  return text === undefined ? undefined : parseTime(text);
};

/** Metric pod_worker_start_duration_seconds. */
function recordWorkerStart(ctx: Context, pod: Pod): void {
  const seen = firstSeen(pod);
  if (seen !== undefined) ctx.tracer.decide(ctx, 'latency.podWorkerStart', { firstSeen: seen }, `${(ctx.clock.now() - seen) / 1000} s`, false);
}

/** Metric pod_start_duration_seconds. */
function recordPodStart({ statusManager }: PodSyncParts, ctx: Context, pod: Pod, status: ApiPodStatus): void {
  const seen = firstSeen(pod);
  const old = statusManager.getPodStatus(pod.metadata.uid);
  if (seen === undefined || !(old?.phase === 'Pending' && status.phase === 'Running')) return;
  ctx.tracer.decide(ctx, 'latency.podStart', { firstSeen: seen }, `${(ctx.clock.now() - seen) / 1000} s`, false);
}

function generateStatus(parts: PodSyncParts, ctx: Context, pod: Pod, podStatus: PodStatus): Promise<ApiPodStatus> {
  return ctx.tracer.span(ctx, steps.generateAPIPodStatus, { podStatus }, (step) => {
    const status = parts.generateStatus(step, pod, podStatus, false);
    step.span.set({ status });
    return status;
  });
}

function checkNetwork({ runtimeState, deps }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  return ctx.tracer.span(ctx, steps.checkNetwork, { hostNetwork: pod.spec.hostNetwork === true }, (step) => {
    const error = runtimeState.networkError();
    step.tracer.decide(step, 'syncPod.networkReady', { networkError: error, hostNetwork: pod.spec.hostNetwork === true }, error === undefined);
    if (error === undefined || pod.spec.hostNetwork) return;
    const message = `${networkNotReadyText}: ${error}`;
    deps.recorder.event(step, pod, 'Warning', 'NetworkNotReady', message);
    throw new Error(message);
  });
}

/** The runtime makes the cgroup itself, below the parent it is given; here it is only settled which. */
function ensurePodCgroup({ deps }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  const qosClass = getPodQOS(pod);
  return ctx.tracer.span(ctx, steps.ensurePodCgroup, { qosClass, cgroupsPerQOS: deps.node.cgroupsPerQOS }, () => undefined);
}

function reconcileMirrorPod({ mirrorPods }: PodSyncParts, ctx: Context, pod: Pod, mirrorPod: Pod | undefined): Promise<void> {
  return ctx.tracer.span(ctx, steps.reconcileMirrorPod, { mirror: mirrorPod?.metadata.uid }, async (step) => {
    step.span.set({ outcome: await mirrorPods.reconcile(step, pod, mirrorPod) });
  });
}

function makePodDataDirs({ directories, deps }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  return ctx.tracer.span(ctx, steps.makePodDataDirs, { path: directories.podDir(pod.metadata.uid) }, async (step) => {
    try {
      await directories.makePodDataDirs(pod.metadata.uid);
    } catch (error) {
      deps.recorder.event(step, pod, 'Warning', 'Failed', `error making pod data directories: ${errorText(error)}`);
      throw error;
    }
  });
}

function waitForVolumes({ volumeManager, deps }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  return ctx.tracer.span(ctx, steps.waitForVolumes, { volumes: pod.spec.volumes?.map(({ name }) => name) ?? [] }, async (step) => {
    try {
      await volumeManager.waitForAttachAndMount(step, pod);
    } catch (error) {
      if (!step.signal.aborted && !(error instanceof VolumeTimeoutError)) {
        deps.recorder.event(step, pod, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${errorText(error)}`);
      }
      throw error;
    }
  });
}

/** Secrets that can't be had are told and left out: the image may be public. Upstream: getPullSecretsForPod. */
function getPullSecrets({ deps }: PodSyncParts, ctx: Context, pod: Pod): Promise<readonly Secret[]> {
  const names = (pod.spec.imagePullSecrets ?? []).map(({ name }) => name ?? '').filter((name) => name !== '');
  return ctx.tracer.span(ctx, steps.getPullSecrets, { names }, async (step) => {
    const found: Secret[] = [];
    const failed: string[] = [];
    for (const name of names) {
      const secret = await deps.client.getSecret(pod.metadata.namespace ?? '', name).catch(() => undefined);
      if (secret) found.push(secret);
      else failed.push(name);
    }
    if (failed.length > 0) {
      const message = `Unable to retrieve some image pull secrets (${failed.join(', ')}); attempting to pull the image may not succeed.`;
      deps.recorder.event(step, pod, 'Warning', 'FailedToRetrieveImagePullSecret', message);
    }
    return found;
  });
}

async function runtimeSyncPod(
  parts: PodSyncParts,
  ctx: Context,
  pod: Pod,
  podStatus: PodStatus,
  pullSecrets: readonly Secret[],
  status: ApiPodStatus,
): Promise<PodSyncResult> {
  const { gates, runtime, reasonCache, statusManager } = parts;
  const restartAll =
    gates.RestartAllContainersOnContainerExits &&
    (status.conditions?.some((condition) => condition.type === allContainersRestarting && condition.status === 'True') ?? false);
  const result = await ctx.tracer.span(ctx, steps.runtimeSyncPod, { restartAllContainers: restartAll }, (step) =>
    runtime.syncPod(untilTheEnd(parts, step), pod, podStatus, pullSecrets, parts.backOff(), restartAll),
  );
  reasonCache.update(pod.metadata.uid, result);
  if (restartAll && !result.error() && result.syncResults.some(({ action }) => action === 'RemoveContainer')) parts.resync(ctx, pod);
  if (applyResizeResult(parts, ctx, pod, result)) {
    const current = statusManager.getPodStatus(pod.metadata.uid);
    if (current) statusManager.setPodStatus(ctx, pod, parts.generateStatus(ctx, pod, podStatus, false));
  }
  return result;
}

/** A failed resize shows in the condition PodResizeInProgress until one succeeds. @returns true when that changed. */
function applyResizeResult({ resizeConditions, deps }: PodSyncParts, ctx: Context, pod: Pod, result: PodSyncResult): boolean {
  const resize = result.syncResults.find(({ action }) => action === 'ResizePodInPlace');
  if (!resize) return false;
  const { uid, generation } = pod.metadata;
  if (!resize.error) return resizeConditions.clear(uid, 'PodResizeInProgress');
  const changed = resizeConditions.set(uid, 'PodResizeInProgress', generation, 'Error', resize.message);
  if (changed) {
    const containers = pod.spec.containers.map(({ name, resources = {} }) => ({ name, resources }));
    const detail = JSON.stringify({ containers, generation, error: resize.message });
    deps.recorder.event(ctx, pod, 'Warning', 'ResizeError', `Pod resize error: ${detail}`);
  }
  return changed;
}
