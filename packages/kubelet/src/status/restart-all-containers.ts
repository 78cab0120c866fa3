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

/**
 * True if all containers of the pod have to be restarted.
 * @param podStatus the runtime's statuses; without them, only the old statuses count
 */
export function shouldAllContainersRestart(
  pod: Pod,
  podStatus: PodStatus | undefined,
  old: ApiPodStatus | undefined,
  gates: FeatureGates,
): boolean {
  if (!gates.RestartAllContainersOnContainerExits) return false;
  if (old?.conditions?.some(({ type, status }) => type === allContainersRestarting && status === 'True')) return true;
  const oldStatuses = new Map(
    [...(old?.initContainerStatuses ?? []), ...(old?.containerStatuses ?? [])].map((status) => [status.name, status]),
  );
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => {
    const exitCodes = exitCodesOf(podStatus, oldStatuses.get(container.name), container.name);
    return exitCodes.some((code) => findMatchingRestartRule(container, code)?.action === 'RestartAllContainers');
  });
}

/**
 * Returns the codes with which a container has exited, according to the runtime and to the old status. The old status
 * of a container that the runtime doesn't report as exited doesn't count.
 */
function exitCodesOf(
  podStatus: PodStatus | undefined,
  old: ContainerStatus | undefined,
  name: string,
): readonly number[] {
  const status = podStatus?.containerStatuses.find((candidate) => candidate.name === name);
  if (podStatus && status?.state !== 'exited') return [];
  return [status?.exitCode, old?.state?.terminated?.exitCode].filter((code) => code !== undefined);
}
