/**
 * Runs the steps of syncPod that both releases share. Upstream: Kubelet.SyncPod (pkg/kubelet/kubelet.go, v1.36 and
 * v1.20).
 */
import { errorText } from '@podscope/base';
import type { PodStatus as ApiPodStatus, Pod, Secret } from '@podscope/k8s';
import {
  type ContainerResources,
  type PodCgroupConfig,
  type PodStatus,
  type PodSyncResult,
  toContainerResources,
} from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { networkNotReadyText } from '../pod-workers/retry-delay.ts';
import { VolumeTimeoutError } from '../volumes/volume-manager.ts';
import type { SyncPodDependencies } from './dependencies.ts';

/**
 * Returns the status that the runtime manager receives. Its addresses are those in the API, so a pod on the host
 * network has the node's addresses.
 */
export const observedStatus = (podStatus: PodStatus, status: ApiPodStatus): PodStatus => ({
  ...podStatus,
  ips: status.podIPs?.map(({ ip }) => ip) ?? (status.podIP ? [status.podIP] : []),
});

/**
 * Reads the cgroup of a pod that runs according to the API, for the pod's resources in its status. Returns undefined if
 * the release doesn't show them, or if the cgroup can't be read.
 */
export async function podCgroup(
  ctx: Context,
  { podContainers, gates }: SyncPodDependencies,
  pod: Pod,
): Promise<ContainerResources | undefined> {
  if (!gates.InPlacePodLevelResourcesVerticalScaling || !podContainers.enabled || pod.status?.phase !== 'Running')
    return undefined;
  // The two reads fail independently.
  const read = (resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> =>
    podContainers.getPodCgroupConfig(ctx, pod, resource).catch(() => ({}));
  return toContainerResources({ ...(await read('cpu')), ...(await read('memory')) });
}

/** Generates the API's status from the runtime's. */
export function generateStatus(
  ctx: Context,
  dependencies: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
): Promise<ApiPodStatus> {
  return ctx.tracer.span(ctx, dependencies.steps.generateAPIPodStatus, { podStatus }, async (step) => {
    const status = dependencies.generateStatus(step, pod, podStatus, false, await podCgroup(step, dependencies, pod));
    step.span.set({ status });
    return status;
  });
}

/**
 * Checks whether the runtime's network is ready.
 * @throws Error when it isn't ready, except for a pod on the host network
 */
export function checkNetwork(
  ctx: Context,
  { runtimeState, recorder, steps }: SyncPodDependencies,
  pod: Pod,
): Promise<void> {
  return ctx.tracer.span(ctx, steps.checkNetwork, { hostNetwork: pod.spec.hostNetwork === true }, (step) => {
    const error = runtimeState.networkError();
    step.tracer.decide(
      step,
      'syncPod.networkReady',
      { networkError: error, hostNetwork: pod.spec.hostNetwork === true },
      error === undefined,
    );
    if (error === undefined || pod.spec.hostNetwork) return;
    const message = `${networkNotReadyText}: ${error}`;
    recorder.event(step, pod, 'Warning', 'NetworkNotReady', message);
    throw new Error(message);
  });
}

/** Creates or updates the mirror pod of a static pod in the API. A failure is logged and doesn't fail the sync. */
export function reconcileMirrorPod(
  ctx: Context,
  { mirrorPods, steps }: SyncPodDependencies,
  pod: Pod,
  mirrorPod: Pod | undefined,
): Promise<void> {
  return ctx.tracer.span(ctx, steps.reconcileMirrorPod, { mirror: mirrorPod?.metadata.uid }, async (step) => {
    step.span.set({ outcome: await mirrorPods.reconcile(step, pod, mirrorPod) });
  });
}

/**
 * Creates the pod's directories.
 * @throws Error when a directory can't be created
 */
export function makePodDataDirs(
  ctx: Context,
  { directories, recorder, steps }: SyncPodDependencies,
  pod: Pod,
): Promise<void> {
  return ctx.tracer.span(ctx, steps.makePodDataDirs, { path: directories.podDir(pod.metadata.uid) }, async (step) => {
    try {
      await directories.makePodDataDirs(pod.metadata.uid);
    } catch (error) {
      recorder.event(step, pod, 'Warning', 'Failed', `error making pod data directories: ${errorText(error)}`);
      throw error;
    }
  });
}

/**
 * Waits until the pod's volumes are mounted.
 * @throws Error when this node can't mount a volume, or when the wait takes too long
 */
export function waitForVolumes(
  ctx: Context,
  { volumeManager, recorder, steps, profile }: SyncPodDependencies,
  pod: Pod,
): Promise<void> {
  return ctx.tracer.span(
    ctx,
    steps.waitForVolumes,
    { volumes: pod.spec.volumes?.map(({ name }) => name) ?? [] },
    async (step) => {
      try {
        await volumeManager.waitForAttachAndMount(step, pod);
      } catch (error) {
        if (!step.signal.aborted && (profile.reportsVolumeTimeouts || !(error instanceof VolumeTimeoutError))) {
          recorder.event(step, pod, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${errorText(error)}`);
        }
        throw error;
      }
    },
  );
}

/**
 * Returns the pull secrets. A missing secret is reported and omitted, because the image may be public. Upstream:
 * getPullSecretsForPod.
 */
export function getPullSecrets(
  ctx: Context,
  { client, recorder, steps, profile }: SyncPodDependencies,
  pod: Pod,
): Promise<readonly Secret[]> {
  const names = (pod.spec.imagePullSecrets ?? []).map(({ name }) => name ?? '').filter((name) => name !== '');
  return ctx.tracer.span(ctx, steps.getPullSecrets, { names }, async (step) => {
    const found: Secret[] = [];
    const failed: string[] = [];
    for (const name of names) {
      const { namespace = '' } = pod.metadata;
      try {
        const secret = await client.getSecret(namespace, name);
        if (!secret) throw new Error(`secret "${name}" not found`);
        found.push(secret);
      } catch (error) {
        failed.push(name);
        const message = profile.pullSecretWarning(pod, name, errorText(error));
        step.tracer.emit(step, { type: 'output', level: 'warning', message });
      }
    }
    if (failed.length > 0 && profile.reportsMissingPullSecrets) {
      const message =
        `Unable to retrieve some image pull secrets (${failed.join(', ')}); ` +
        'attempting to pull the image may not succeed.';
      recorder.event(step, pod, 'Warning', 'FailedToRetrieveImagePullSecret', message);
    }
    return found;
  });
}

/**
 * Stores why containers couldn't be started, for the next status. Removes the reasons of containers that have started.
 */
export function updateReasonCache(
  ctx: Context,
  { reasonCache, steps }: SyncPodDependencies,
  { metadata }: Pod,
  result: PodSyncResult,
): Promise<void> {
  return ctx.tracer.span(ctx, steps.updateReasonCache, {}, (step) => {
    reasonCache.update(metadata.uid, result);
    const failed = result.syncResults.filter(({ action, error }) => action === 'StartContainer' && error);
    step.span.set({ reasons: failed.map(({ target, error }) => ({ container: target, reason: error?.message })) });
  });
}
