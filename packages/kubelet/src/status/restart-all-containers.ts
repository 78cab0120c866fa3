/**
 * Decides whether all containers of a pod are restarted because one of them exited and a rule matched. Upstream:
 * ShouldAllContainersRestart (v1.36).
 */
import type { PodStatus as ApiPodStatus, ContainerStatus, Pod } from '@podscope/k8s';
import { findMatchingRestartRule, type PodStatus } from '@podscope/kuberuntime';
import type { FeatureGates } from '../features.ts';

export const allContainersRestarting = 'AllContainersRestarting';
export const restartingAllContainersReason = 'RestartingAllContainers';

/** True for a pod that has a rule that restarts all containers. Upstream: AllContainersCouldRestart. */
export const allContainersCouldRestart = ({ spec }: Pod): boolean =>
  [...(spec.initContainers ?? []), ...spec.containers].some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );

/** True if all containers of the pod have to be restarted. */
export function shouldAllContainersRestart(
  pod: Pod,
  podStatus: PodStatus,
  old: ApiPodStatus | undefined,
  gates: FeatureGates,
): boolean {
  if (!gates.RestartAllContainersOnContainerExits) return false;
  if (old?.conditions?.some(({ type, status }) => type === allContainersRestarting && status === 'True')) return true;
  const oldStatuses = new Map(
    [...(old?.initContainerStatuses ?? []), ...(old?.containerStatuses ?? [])].map((status) => [status.name, status]),
  );
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => {
    const exitCode = exitCodeOf(podStatus, oldStatuses.get(container.name), container.name);
    return exitCode !== undefined && findMatchingRestartRule(container, exitCode)?.action === 'RestartAllContainers';
  });
}

function exitCodeOf(podStatus: PodStatus, old: ContainerStatus | undefined, name: string): number | undefined {
  const status = podStatus.containerStatuses.find((candidate) => candidate.name === name);
  if (status) return status.state === 'exited' ? status.exitCode : undefined;
  return old?.state?.terminated?.exitCode;
}
