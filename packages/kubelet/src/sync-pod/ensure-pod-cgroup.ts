/** The step that gives a pod its cgroup. Upstream: Kubelet.SyncPod, podContainerManager.EnsureExists (v1.36 and v1.20). */
import { type PodStatus as ApiPodStatus, type Container, getPodQOS, type Pod } from '@podscope/k8s';
import { convertPodStatusToRunningPod, type PodStatus } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import { errorText } from '../util/error-text.ts';
import type { PodSyncParts } from './parts.ts';

/**
 * Makes the pod's cgroup. Containers that run outside of it are ended first: they can't be moved.
 * @throws Error when it can't be made.
 */
export function ensurePodCgroup(parts: PodSyncParts, ctx: Context, pod: Pod, podStatus: PodStatus, status: ApiPodStatus): Promise<void> {
  const { podContainers, steps, deps, gates } = parts;
  const facts = { qosClass: getPodQOS(pod), path: podContainers.path(pod), kept: podContainers.enabled };
  return ctx.tracer.span(ctx, steps.ensurePodCgroup, facts, async (step) => {
    if (await podContainers.exists(pod)) return;
    const firstSync = !status.containerStatuses?.some(({ state }) => state?.running);
    const killed = !firstSync && (await killStrays(parts, step, pod, podStatus));
    const isOver = killed && isRunOnce(pod, gates);
    step.tracer.decide(step, 'syncPod.createPodCgroup', { firstSync, killed, restartPolicy: pod.spec.restartPolicy }, !isOver);
    if (isOver) return;
    try {
      await podContainers.updateQOSCgroups([...parts.activePods().filter(({ metadata }) => metadata.uid !== pod.metadata.uid), pod]);
    } catch (error) {
      step.tracer.emit(step, { type: 'output', level: 'warning', message: `Failed to update QoS cgroups while syncing pod: ${errorText(error)}` });
    }
    try {
      await podContainers.ensureExists(pod);
    } catch (error) {
      deps.recorder.event(step, pod, 'Warning', 'FailedCreatePodContainer', `unable to ensure pod container exists: ${errorText(error)}`);
      throw new Error(`failed to ensure that the pod: ${pod.metadata.uid} cgroups exist and are correctly applied: ${errorText(error)}`, { cause: error });
    }
  });
}

/** Nothing of it would be started again. Upstream: the run-once test of SyncPod, IsContainerRestartable (v1.36; v1.20 knows the pod's policy only). */
function isRunOnce({ spec }: Pod, { ContainerRestartRules }: FeatureGates): boolean {
  if (spec.restartPolicy !== 'Never') return false;
  const isRestartable = ({ restartPolicy, restartPolicyRules }: Container): boolean =>
    restartPolicy !== undefined && (restartPolicy !== 'Never' || (restartPolicyRules ?? []).some(({ action }) => action === 'Restart'));
  return !(ContainerRestartRules && spec.containers.some(isRestartable));
}

async function killStrays({ runtime }: PodSyncParts, ctx: Context, pod: Pod, podStatus: PodStatus): Promise<boolean> {
  try {
    await runtime.killPod(ctx, pod, convertPodStatusToRunningPod(runtime.type, podStatus));
    return true;
  } catch (error) {
    ctx.tracer.emit(ctx, { type: 'output', level: 'error', message: `KillPod failed: ${errorText(error)}` });
    return false;
  }
}
