/** One pass over a pod, step by step, as v1.20 made it. Upstream: Kubelet.syncPod (pkg/kubelet/kubelet.go, v1.20). */
import { type PodStatus as ApiPodStatus, type ContainerStatus, isStaticPod, type Pod } from '@podscope/k8s';
import { convertPodStatusToRunningPod, type PodStatus, type PodSyncResult } from '@podscope/kuberuntime';
import type { Context, SpanContext } from '@podscope/trace';
import type { Rejection } from '../admission/types.ts';
import type { KillPodOptions, SyncPodType } from '../pod-workers/types.ts';
import { podWorkerPoints, syncPodKubeletStepsV120 as steps } from '../points.ts';
import { errorText } from '../util/error-text.ts';
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

export interface SyncPodPartsV120 extends PodSyncParts {
  /** Soft admission: asked at every pass. Upstream: canRunPod. */
  readonly canRunPod: (pod: Pod) => Rejection | undefined;
  /** The pod has ended: nothing is prepared for it any more. Upstream: podIsTerminated. */
  readonly isTerminated: (pod: Pod) => boolean;
}

export interface SyncPodOptionsV120 {
  readonly updateType: SyncPodType;
  readonly pod: Pod;
  readonly mirrorPod: Pod | undefined;
  readonly podStatus: PodStatus;
  readonly killPodOptions: KillPodOptions | undefined;
}

/**
 * Brings the node in line with the pod, or ends it.
 * @throws Error when the pass must be repeated soon. In a back-off of containers or images that is the case, too: a result of another kind comes
 * before every start.
 */
export function syncPodV120(parts: SyncPodPartsV120, passCtx: Context, options: SyncPodOptionsV120): Promise<void> {
  // Nothing interrupts a pass of this release but the end of the run.
  const ctx = untilTheEnd(parts, passCtx);
  const { updateType, pod, mirrorPod, podStatus } = options;
  let apiStatus: ApiPodStatus | undefined;
  const exposures = { pod: () => pod, mirrorPod: () => mirrorPod, podStatus: () => podStatus, apiStatus: () => apiStatus };
  const body = async (inner: SpanContext): Promise<void> => {
    if (updateType === 'kill') return killOnRequest(parts, inner, options);
    await recordWorkerStart(parts, inner, updateType, pod);
    const generated = await generateStatus(parts, inner, pod, podStatus);
    const observed = observedStatus(podStatus, generated);
    recordPodStart(parts, inner, pod, generated);
    const refusal = await canRunPod(parts, inner, pod);
    const status = refusal ? blocked(generated, refusal) : generated;
    apiStatus = status;
    await inner.tracer.span(inner, steps.setPodStatus, { phase: status.phase }, (step) => parts.statusManager.setPodStatus(step, pod, status));
    if (await killUnrunnable(parts, inner, pod, podStatus, status, refusal)) return;

    await checkNetwork(parts, inner, pod);
    if (!parts.isTerminated(pod)) await ensurePodCgroup(parts, inner, pod, podStatus, status);
    if (isStaticPod(pod)) await reconcileMirrorPod(parts, inner, pod, mirrorPod);
    await makePodDataDirs(parts, inner, pod);
    if (!parts.isTerminated(pod)) await waitForVolumes(parts, inner, pod);
    const pullSecrets = await getPullSecrets(parts, inner, pod);
    const result = await inner.tracer.span(inner, steps.runtimeSyncPod, {}, (step) =>
      parts.runtime.syncPod(step, pod, observed, pullSecrets, parts.backOff(), false),
    );
    await updateReasonCache(parts, inner, pod, result);
    throwUnlessBackOff(inner, result);
  };
  return ctx.tracer.span(ctx, podWorkerPoints.syncPod, { updateType }, body, exposures);
}

/** Who evicts a pod says what its status is to be. */
async function killOnRequest(parts: SyncPodPartsV120, ctx: Context, { pod, podStatus, killPodOptions }: SyncPodOptionsV120): Promise<void> {
  const { podStatusFunction, gracePeriodSecondsOverride } = killPodOptions ?? {};
  if (!podStatusFunction) throw new Error('kill pod options are required if update type is kill');
  const status = podStatusFunction(parts.generateStatus(ctx, pod, podStatus, false));
  await ctx.tracer.span(ctx, steps.setPodStatus, { phase: status.phase }, (step) => parts.statusManager.setPodStatus(step, pod, status));
  await ctx.tracer.span(ctx, steps.killPod, { reason: status.reason, gracePeriodSecondsOverride }, (step) =>
    killPod(parts, step, pod, podStatus, gracePeriodSecondsOverride),
  );
}

async function killPod(parts: SyncPodPartsV120, ctx: Context, pod: Pod, podStatus: PodStatus, gracePeriodSeconds?: number): Promise<void> {
  try {
    await parts.runtime.killPod(ctx, pod, convertPodStatusToRunningPod(parts.runtime.type, podStatus), gracePeriodSeconds);
  } catch (error) {
    parts.deps.recorder.event(ctx, pod, 'Warning', 'FailedKillPod', `error killing pod: ${errorText(error)}`);
    throw error;
  }
  await parts.podContainers.updateQOSCgroups(parts.activePods()).catch(() => undefined);
}

function canRunPod(parts: SyncPodPartsV120, ctx: Context, pod: Pod): Promise<Rejection | undefined> {
  return ctx.tracer.span(ctx, steps.canRunPod, {}, (step) => {
    const refusal = parts.canRunPod(pod);
    step.tracer.decide(step, 'syncPod.canRunPod', { pod: pod.metadata.name }, refusal ?? 'admitted');
    return refusal;
  });
}

/** Containers of a pod that may not run wait, and the pod says why. */
function blocked(status: ApiPodStatus, { reason, message }: Rejection): ApiPodStatus {
  const block = (list: readonly ContainerStatus[]): readonly ContainerStatus[] =>
    list.map((container) => (container.state?.waiting ? { ...container, state: { waiting: { ...container.state.waiting, reason: 'Blocked' } } } : container));
  return {
    ...status,
    reason,
    message,
    ...(status.initContainerStatuses ? { initContainerStatuses: block(status.initContainerStatuses) } : {}),
    ...(status.containerStatuses ? { containerStatuses: block(status.containerStatuses) } : {}),
  };
}

/** @returns true when the pod must not run: it has been ended then. */
function killUnrunnable(
  parts: SyncPodPartsV120,
  ctx: Context,
  pod: Pod,
  podStatus: PodStatus,
  status: ApiPodStatus,
  refusal: Rejection | undefined,
): Promise<boolean> {
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  return ctx.tracer.span(ctx, steps.killPod, { deleted, phase: status.phase, refused: refusal !== undefined }, async (step) => {
    const must = refusal !== undefined || deleted || status.phase === 'Failed';
    step.tracer.decide(step, 'syncPod.killUnrunnable', { refused: refusal !== undefined, deleted, phase: status.phase }, must);
    if (!must) return false;
    await killPod(parts, step, pod, podStatus);
    // Asked for again, so that it runs once it may.
    if (refusal) throw new Error(`pod cannot be run: ${refusal.message}`);
    return true;
  });
}

const backOffs: ReadonlySet<string | undefined> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/** Back-offs alone are no reason to look again soon; any other result, a success too, lets the whole error out. */
function throwUnlessBackOff(ctx: Context, result: PodSyncResult): void {
  const error = result.error();
  if (!error) return;
  const other = result.syncResults.find((candidate) => !backOffs.has(candidate.error?.message));
  ctx.tracer.decide(ctx, 'syncPod.returnError', { error: error.message, otherThanBackOff: other?.action }, other ? 'error' : 'none');
  if (other) throw error;
}
