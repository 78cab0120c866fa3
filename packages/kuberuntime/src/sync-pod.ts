/** Makes a running pod match its spec. Upstream: kuberuntime_manager.go SyncPod (v1.36 and v1.20). */
import type { Pod, Secret } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { newPodActions } from './compute-pod-actions/pod-actions.ts';
import type { Backoff } from './flowcontrol/backoff.ts';
import { kuberuntimePoints } from './points.ts';
import type { PodStatus } from './runtime.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { syncExposures } from './sync/exposures.ts';
import { type PodSync, SyncStopped } from './sync/step.ts';
import { PodSyncResult } from './sync-result.ts';

export interface SyncPodRequest {
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  readonly backOff: Backoff;
  /** The kubelet's condition AllContainersRestarting is true (v1.36). */
  readonly restartAllContainers: boolean;
}

/** Runs the steps of the release one after another, those that have something to do. Never throws: failures are in the result. */
export async function syncPod(ctx: Context, parts: RuntimeParts, request: SyncPodRequest): Promise<PodSyncResult> {
  const { pod, podStatus } = request;
  const result = new PodSyncResult();
  const sync: PodSync = {
    ...request,
    parts,
    result,
    actions: newPodActions(false, 0, ''),
    podIPs: podStatus.ips,
    sandboxID: '',
    sandboxConfig: undefined,
    imageVolumes: new Map(),
  };
  const attributes = (): Record<string, unknown> => ({
    profile: parts.profile.name,
    uid: pod.metadata.uid,
    namespace: pod.metadata.namespace,
    name: pod.metadata.name,
  });
  try {
    await ctx.tracer.span(ctx, kuberuntimePoints.syncPod, attributes, (inner) => runSteps(inner, sync), syncExposures(sync));
  } catch (error) {
    // What stopped it is in the result; anything else, such as a fault injected by a debugger, is the sync's own failure.
    if (!(error instanceof SyncStopped) && !result.syncError) result.syncError = error instanceof Error ? error : new Error(String(error));
  }
  return result;
}

async function runSteps(ctx: Context, sync: PodSync): Promise<void> {
  const { profile, gates } = sync.parts;
  for (const step of profile.steps(gates)) {
    if (step.point === undefined) await step.run(ctx, sync);
    else if (step.applies(sync)) {
      const { attributes } = step;
      await ctx.tracer.span(ctx, step.point, attributes ? () => attributes(sync) : {}, (inner) => step.run(inner, sync));
    }
  }
}
