/** Makes a running pod match its spec. Upstream: kuberuntime_manager.go SyncPod (v1.36 and v1.20). */
import { asError } from '@podscope/base';
import { kuberuntimePoints } from '@podscope/flow';
import type { Pod, Secret } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { newPodActions } from '../compute-pod-actions/pod-actions.ts';
import type { Backoff } from '../flowcontrol/backoff.ts';
import type { PodStatus } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { type PodSync } from '../runtime-dependencies.ts';
import { syncExposures } from './exposures.ts';
import { PodSyncResult } from './sync-result.ts';
import { SyncStopped } from './sync-stopped.ts';

export interface SyncPodRequest {
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  readonly backOff: Backoff;
  /** True if the kubelet's condition AllContainersRestarting is true (v1.36). */
  readonly restartAllContainers: boolean;
}

/**
 * Runs the steps of the release in order, except those that this sync doesn't need. Never rejects: errors are in the
 * result.
 */
export async function syncPod(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: SyncPodRequest,
): Promise<PodSyncResult> {
  const { pod, podStatus } = request;
  const result = new PodSyncResult();
  const sync: PodSync = {
    ...request,
    dependencies,
    result,
    actions: newPodActions(false, 0, ''),
    podIPs: podStatus.ips,
    sandboxID: '',
    isOver: false,
    sandboxConfig: undefined,
    imageVolumes: new Map(),
  };
  const attributes = (): Record<string, unknown> => ({
    profile: dependencies.profile.name,
    uid: pod.metadata.uid,
    namespace: pod.metadata.namespace,
    name: pod.metadata.name,
  });
  try {
    await ctx.tracer.span(
      ctx,
      kuberuntimePoints.syncPod,
      attributes,
      (inner) => runSteps(inner, sync),
      syncExposures(sync),
    );
  } catch (error) {
    // A SyncStopped is already in the result. Any other error, for example an injected fault, becomes the sync's error.
    if (!(error instanceof SyncStopped) && !result.syncError) result.syncError = asError(error);
  }
  return result;
}

async function runSteps(ctx: Context, sync: PodSync): Promise<void> {
  const { profile, gates } = sync.dependencies;
  for (const { point, applies, attributes, run, after = [] } of profile.steps(gates)) {
    if (applies(sync))
      await ctx.tracer.span(ctx, point, attributes ? () => attributes(sync) : {}, (inner) => run(inner, sync));
    if (sync.isOver) return;
    for (const work of after) await work(ctx, sync);
  }
}
