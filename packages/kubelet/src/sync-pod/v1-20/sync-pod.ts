/** Syncs a pod step by step as in v1.20. Upstream: Kubelet.syncPod (pkg/kubelet/kubelet.go, v1.20). */
import { errorText } from '@podscope/base';
import { kubeletPoints, kubeletSyncPodPointsV120 as steps } from '@podscope/flow';
import { type PodStatus as ApiPodStatus, type ContainerStatus, isStaticPod, type Pod } from '@podscope/k8s';
import { convertPodStatusToRunningPod, type PodStatus, type PodSyncResult } from '@podscope/kuberuntime';
import type { Context, SpanContext } from '@podscope/trace';
import type { Rejection } from '../../admission/types.ts';
import type { CanRunPod } from '../../admission/v1-20/can-run-pod.ts';
import { updateQOSCgroups } from '../../cgroups/update-qos-cgroups.ts';
import type { KillPodOptions, SyncPodType } from '../../pod-workers/types.ts';
import {
  checkNetwork,
  generateStatus,
  getPullSecrets,
  makePodDataDirs,
  observedStatus,
  reconcileMirrorPod,
  updateReasonCache,
  waitForVolumes,
} from '../common-steps.ts';
import { type SyncPodDependencies, withRunSignal } from '../dependencies.ts';
import { ensurePodCgroup } from '../ensure-pod-cgroup.ts';
import { recordPodStart, recordWorkerStart } from '../latency.ts';

export interface SyncPodDependenciesV120 extends SyncPodDependencies {
  /** Runs soft admission. Each sync calls it. Upstream: canRunPod. */
  readonly canRunPod: CanRunPod;
  /**
   * True when the pod has terminated, so that the sync doesn't prepare its directories, cgroup and volumes. Upstream:
   * podIsTerminated.
   */
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
 * Makes the node match the pod, or kills the pod.
 * @throws Error when the sync must be repeated soon. A container in back-off causes this error, too, because the
 * results of its sync also contain a success (see throwUnlessBackOff)
 */
export function syncPodV120(
  syncCtx: Context,
  dependencies: SyncPodDependenciesV120,
  options: SyncPodOptionsV120,
): Promise<void> {
  // In v1.20, only the end of the run interrupts a sync.
  const ctx = withRunSignal(syncCtx, dependencies);
  const { updateType, pod, mirrorPod, podStatus } = options;
  let apiStatus: ApiPodStatus | undefined;
  const exposures = {
    pod: () => pod,
    mirrorPod: () => mirrorPod,
    podStatus: () => podStatus,
    apiStatus: () => apiStatus,
  };
  const body = async (inner: SpanContext): Promise<void> => {
    if (updateType === 'kill') return killOnRequest(inner, dependencies, options);
    await recordWorkerStart(inner, dependencies, updateType, pod);
    const generated = await generateStatus(inner, dependencies, pod, podStatus);
    const observed = observedStatus(podStatus, generated);
    recordPodStart(inner, dependencies, pod, generated);
    const refusal = await canRunPod(inner, dependencies, pod);
    const status = refusal ? blocked(generated, refusal) : generated;
    apiStatus = status;
    await inner.tracer.span(inner, steps.setPodStatus, { phase: status.phase }, (step) =>
      dependencies.statusManager.setPodStatus(step, pod, status),
    );
    if (await killUnrunnable(inner, dependencies, pod, podStatus, status, refusal)) return;

    await checkNetwork(inner, dependencies, pod);
    if (!dependencies.isTerminated(pod)) await ensurePodCgroup(inner, dependencies, pod, podStatus, status);
    if (isStaticPod(pod)) await reconcileMirrorPod(inner, dependencies, pod, mirrorPod);
    await makePodDataDirs(inner, dependencies, pod);
    if (!dependencies.isTerminated(pod)) await waitForVolumes(inner, dependencies, pod);
    const pullSecrets = await getPullSecrets(inner, dependencies, pod);
    const result = await inner.tracer.span(inner, steps.runtimeSyncPod, {}, (step) =>
      dependencies.runtime.syncPod(step, pod, observed, pullSecrets, dependencies.backOff(), false),
    );
    await updateReasonCache(inner, dependencies, pod, result);
    throwUnlessBackOff(inner, result);
  };
  return ctx.tracer.span(ctx, kubeletPoints.syncPod, { updateType }, body, exposures);
}

/** Kills a pod because the update requests it, and sets the update's status. */
async function killOnRequest(
  ctx: Context,
  dependencies: SyncPodDependenciesV120,
  { pod, podStatus, killPodOptions }: SyncPodOptionsV120,
): Promise<void> {
  const { podStatusFunction, gracePeriodSecondsOverride } = killPodOptions ?? {};
  if (!podStatusFunction) throw new Error('kill pod options are required if update type is kill');
  const status = podStatusFunction(dependencies.generateStatus(ctx, pod, podStatus, false));
  await ctx.tracer.span(ctx, steps.setPodStatus, { phase: status.phase }, (step) =>
    dependencies.statusManager.setPodStatus(step, pod, status),
  );
  await ctx.tracer.span(ctx, steps.killPod, { reason: status.reason, gracePeriodSecondsOverride }, (step) =>
    killPod(step, dependencies, pod, podStatus, gracePeriodSecondsOverride),
  );
}

async function killPod(
  ctx: Context,
  dependencies: SyncPodDependenciesV120,
  pod: Pod,
  podStatus: PodStatus,
  gracePeriodSeconds?: number,
): Promise<void> {
  try {
    await dependencies.runtime.killPod(
      ctx,
      pod,
      convertPodStatusToRunningPod(dependencies.runtime.type, podStatus),
      gracePeriodSeconds,
    );
  } catch (error) {
    dependencies.recorder.event(ctx, pod, 'Warning', 'FailedKillPod', `error killing pod: ${errorText(error)}`);
    throw error;
  }
  await updateQOSCgroups(ctx, dependencies.podContainers, dependencies.activePods());
}

function canRunPod(ctx: Context, dependencies: SyncPodDependenciesV120, pod: Pod): Promise<Rejection | undefined> {
  return ctx.tracer.span(ctx, steps.canRunPod, {}, async (step) => {
    const refusal = await dependencies.canRunPod(step, pod);
    step.tracer.decide(step, 'syncPod.canRunPod', { pod: pod.metadata.name }, refusal ?? 'admitted');
    return refusal;
  });
}

/** Sets the waiting containers of a rejected pod to Blocked. The pod gets the rejection's reason and message. */
function blocked(status: ApiPodStatus, { reason, message }: Rejection): ApiPodStatus {
  const block = (list: readonly ContainerStatus[]): readonly ContainerStatus[] =>
    list.map((container) =>
      container.state?.waiting
        ? { ...container, state: { waiting: { ...container.state.waiting, reason: 'Blocked' } } }
        : container,
    );
  return {
    ...status,
    reason,
    message,
    ...(status.initContainerStatuses ? { initContainerStatuses: block(status.initContainerStatuses) } : {}),
    ...(status.containerStatuses ? { containerStatuses: block(status.containerStatuses) } : {}),
  };
}

/**
 * Kills a pod that may not run.
 * @returns true when it was killed
 */
function killUnrunnable(
  ctx: Context,
  dependencies: SyncPodDependenciesV120,
  pod: Pod,
  podStatus: PodStatus,
  status: ApiPodStatus,
  refusal: Rejection | undefined,
): Promise<boolean> {
  const deleted = pod.metadata.deletionTimestamp !== undefined;
  return ctx.tracer.span(
    ctx,
    steps.killPod,
    { deleted, phase: status.phase, refused: refusal !== undefined },
    async (step) => {
      const must = refusal !== undefined || deleted || status.phase === 'Failed';
      step.tracer.decide(
        step,
        'syncPod.killUnrunnable',
        { refused: refusal !== undefined, deleted, phase: status.phase },
        must,
      );
      if (!must) return false;
      await killPod(step, dependencies, pod, podStatus);
      // The error makes the worker retry, so the pod starts once it is admitted.
      if (refusal) throw new Error(`pod cannot be run: ${refusal.message}`);
      return true;
    },
  );
}

const backOffs: ReadonlySet<string | undefined> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/**
 * Throws the sync's error unless all results are back-offs. A single result of another kind, even a success, makes this
 * function throw.
 */
function throwUnlessBackOff(ctx: Context, result: PodSyncResult): void {
  const error = result.error();
  if (!error) return;
  const other = result.syncResults.find((candidate) => !backOffs.has(candidate.error?.message));
  ctx.tracer.decide(
    ctx,
    'syncPod.returnError',
    { error: error.message, otherThanBackOff: other?.action },
    other ? 'error' : 'none',
  );
  if (other) throw error;
}
