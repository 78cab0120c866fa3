/**
 * Runs the step that creates a pod's cgroup. Upstream: Kubelet.SyncPod, podContainerManager.EnsureExists (v1.36 and
 * v1.20).
 */
import { errorText } from '@podscope/base';
import { type PodStatus as ApiPodStatus, type Container, getPodQOS, type Pod } from '@podscope/k8s';
import { convertPodStatusToRunningPod, type PodStatus } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { updateQOSCgroups } from '../cgroups/update-qos-cgroups.ts';
import type { FeatureGates } from '../features.ts';
import type { SyncPodDependencies } from './dependencies.ts';

/**
 * Creates the pod's cgroup. Containers that run outside of the cgroup are killed first, because they can't be moved
 * into it.
 * @returns `cancelled` when that kill was cancelled in v1.36, so that the sync ends; v1.20 has no cancellation
 * @throws Error when the cgroup can't be created
 */
export function ensurePodCgroup(
  ctx: Context,
  dependencies: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
  status: ApiPodStatus,
): Promise<'done' | 'cancelled'> {
  const { podContainers, steps, recorder, gates, runtime } = dependencies;
  const facts = {
    qosClass: getPodQOS(pod, gates.PodLevelResources),
    path: podContainers.path(pod),
    kept: podContainers.enabled,
  };
  return ctx.tracer.span(ctx, steps.ensurePodCgroup, facts, async (step) => {
    const firstSync = !status.containerStatuses?.some(({ state }) => state?.running);
    // On a node without pod cgroups, the pod's own resources count as applied from the start.
    if (!podContainers.enabled && firstSync) runtime.updateActuatedPodLevelResources(pod);
    if (await podContainers.exists(pod)) return 'done';
    const kill = firstSync ? undefined : await killContainersOutsideCgroup(step, dependencies, pod, podStatus);
    if (kill === 'cancelled') return kill;
    const killed = kill === 'killed';
    const isOver = killed && isRunOnce(pod, gates);
    step.tracer.decide(
      step,
      'syncPod.createPodCgroup',
      { firstSync, killed, restartPolicy: pod.spec.restartPolicy },
      !isOver,
    );
    if (isOver) return 'done';
    const others = dependencies.activePods().filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
    await updateQOSCgroups(step, podContainers, [...others, pod]);
    try {
      await podContainers.ensureExists(pod);
    } catch (error) {
      recorder.event(
        step,
        pod,
        'Warning',
        'FailedCreatePodContainer',
        `unable to ensure pod container exists: ${errorText(error)}`,
      );
      throw new Error(
        `failed to ensure that the pod: ${pod.metadata.uid} cgroups exist ` +
          `and are correctly applied: ${errorText(error)}`,
        { cause: error },
      );
    }
    runtime.updateActuatedPodLevelResources(pod);
    return 'done';
  });
}

/**
 * True when no container of the pod may be restarted. Upstream: the run-once test of SyncPod, IsContainerRestartable
 * (v1.36); v1.20 checks only the pod's policy.
 */
function isRunOnce({ spec }: Pod, { ContainerRestartRules }: FeatureGates): boolean {
  if (spec.restartPolicy !== 'Never') return false;
  const isRestartable = ({ restartPolicy, restartPolicyRules }: Container): boolean =>
    restartPolicy !== undefined &&
    (restartPolicy !== 'Never' || (restartPolicyRules ?? []).some(({ action }) => action === 'Restart'));
  return !(ContainerRestartRules && spec.containers.some(isRestartable));
}

async function killContainersOutsideCgroup(
  ctx: Context,
  { runtime, profile }: SyncPodDependencies,
  pod: Pod,
  podStatus: PodStatus,
): Promise<'killed' | 'failed' | 'cancelled'> {
  try {
    await runtime.killPod(ctx, pod, convertPodStatusToRunningPod(runtime.type, podStatus));
    return 'killed';
  } catch (error) {
    if (profile.endsCancelledSyncs && ctx.signal.aborted) return 'cancelled';
    ctx.tracer.emit(ctx, { type: 'output', level: 'error', message: `KillPod failed: ${errorText(error)}` });
    return 'failed';
  }
}
