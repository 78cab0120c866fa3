var e=`/** The steps of syncPod that both releases take alike. Upstream: Kubelet.SyncPod (pkg/kubelet/kubelet.go, v1.36 and v1.20). */
import type { PodStatus as ApiPodStatus, Pod, Secret } from '@podscope/k8s';
import type { PodStatus, PodSyncResult } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { networkNotReadyText } from '../pod-workers/retry-delay.ts';
import { errorText } from '../util/error-text.ts';
import { VolumeTimeoutError } from '../volumes/volume-manager.ts';
import type { PodSyncParts } from './parts.ts';

/** The status as the runtime manager gets it: with the addresses the API shows, so that a pod on the host network has the node's. */
export const observedStatus = (podStatus: PodStatus, status: ApiPodStatus): PodStatus => ({
  ...podStatus,
  ips: status.podIPs?.map(({ ip }) => ip) ?? (status.podIP ? [status.podIP] : []),
});

/** Turns what the runtime shows into the API's status. */
export function generateStatus(parts: PodSyncParts, ctx: Context, pod: Pod, podStatus: PodStatus): Promise<ApiPodStatus> {
  return ctx.tracer.span(ctx, parts.steps.generateAPIPodStatus, { podStatus }, (step) => {
    const status = parts.generateStatus(step, pod, podStatus, false);
    step.span.set({ status });
    return status;
  });
}

/** @throws Error while the runtime's network is not ready, except for pods on the host's. */
export function checkNetwork({ runtimeState, deps, steps }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  return ctx.tracer.span(ctx, steps.checkNetwork, { hostNetwork: pod.spec.hostNetwork === true }, (step) => {
    const error = runtimeState.networkError();
    step.tracer.decide(step, 'syncPod.networkReady', { networkError: error, hostNetwork: pod.spec.hostNetwork === true }, error === undefined);
    if (error === undefined || pod.spec.hostNetwork) return;
    const message = \`\${networkNotReadyText}: \${error}\`;
    deps.recorder.event(step, pod, 'Warning', 'NetworkNotReady', message);
    throw new Error(message);
  });
}

/** Shows a static pod in the API. Failures are told and do not matter. */
export function reconcileMirrorPod({ mirrorPods, steps }: PodSyncParts, ctx: Context, pod: Pod, mirrorPod: Pod | undefined): Promise<void> {
  return ctx.tracer.span(ctx, steps.reconcileMirrorPod, { mirror: mirrorPod?.metadata.uid }, async (step) => {
    step.span.set({ outcome: await mirrorPods.reconcile(step, pod, mirrorPod) });
  });
}

/** @throws Error when a directory can't be made. */
export function makePodDataDirs({ directories, deps, steps }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  return ctx.tracer.span(ctx, steps.makePodDataDirs, { path: directories.podDir(pod.metadata.uid) }, async (step) => {
    try {
      await directories.makePodDataDirs(pod.metadata.uid);
    } catch (error) {
      deps.recorder.event(step, pod, 'Warning', 'Failed', \`error making pod data directories: \${errorText(error)}\`);
      throw error;
    }
  });
}

/** @throws Error when a volume can't be set up, or not in time. */
export function waitForVolumes({ volumeManager, deps, steps, profile }: PodSyncParts, ctx: Context, pod: Pod): Promise<void> {
  return ctx.tracer.span(ctx, steps.waitForVolumes, { volumes: pod.spec.volumes?.map(({ name }) => name) ?? [] }, async (step) => {
    try {
      await volumeManager.waitForAttachAndMount(step, pod);
    } catch (error) {
      if (!step.signal.aborted && (profile.tellsVolumeTimeouts || !(error instanceof VolumeTimeoutError))) {
        deps.recorder.event(step, pod, 'Warning', 'FailedMount', \`Unable to attach or mount volumes: \${errorText(error)}\`);
      }
      throw error;
    }
  });
}

/** Secrets that can't be had are told and left out: the image may be public. Upstream: getPullSecretsForPod. */
export function getPullSecrets({ deps, steps, profile }: PodSyncParts, ctx: Context, pod: Pod): Promise<readonly Secret[]> {
  const names = (pod.spec.imagePullSecrets ?? []).map(({ name }) => name ?? '').filter((name) => name !== '');
  return ctx.tracer.span(ctx, steps.getPullSecrets, { names }, async (step) => {
    const found: Secret[] = [];
    const failed: string[] = [];
    for (const name of names) {
      const secret = await deps.client.getSecret(pod.metadata.namespace ?? '', name).catch(() => undefined);
      if (secret) found.push(secret);
      else failed.push(name);
    }
    if (failed.length > 0 && profile.tellsMissingPullSecrets) {
      const message = \`Unable to retrieve some image pull secrets (\${failed.join(', ')}); attempting to pull the image may not succeed.\`;
      deps.recorder.event(step, pod, 'Warning', 'FailedToRetrieveImagePullSecret', message);
    }
    return found;
  });
}

/** What could not start is kept with its reason, for the next status; what started is forgotten. */
export function updateReasonCache({ reasonCache, steps }: PodSyncParts, ctx: Context, { metadata }: Pod, result: PodSyncResult): Promise<void> {
  return ctx.tracer.span(ctx, steps.updateReasonCache, {}, (step) => {
    reasonCache.update(metadata.uid, result);
    const failed = result.syncResults.filter(({ action, error }) => action === 'StartContainer' && error);
    step.span.set({ reasons: failed.map(({ target, error }) => ({ container: target, reason: error?.message })) });
  });
}
`;export{e as default};
//# sourceMappingURL=common-steps-CzzaE2jm.js.map