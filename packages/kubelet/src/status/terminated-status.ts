/** The status of a pod of which nothing is left: every container has ended, known or not. Upstream: TerminatePod (v1.36). */
import { type PodStatus as ApiPodStatus, type ContainerStatus, isRestartableInitContainer, isStaticPod, type Pod } from '@podscope/k8s';
import { isTerminalPhase } from './merge-pod-status.ts';

const lost = (container: ContainerStatus): ContainerStatus =>
  container.state?.terminated
    ? container
    : {
        ...container,
        state: {
          terminated: {
            exitCode: 137,
            reason: 'ContainerStatusUnknown',
            message: 'The container could not be located when the pod was terminated',
            startedAt: null,
            finishedAt: null,
          },
        },
      };

const everStarted = ({ state, lastState }: ContainerStatus): boolean => !state?.waiting || lastState?.terminated !== undefined;

/** Upstream: hasPodInitialized. */
function hasPodInitialized({ spec }: Pod, { containerStatuses = [], initContainerStatuses = [] }: ApiPodStatus): boolean {
  if ((spec.initContainers?.length ?? 0) === 0 || containerStatuses.some(everStarted)) return true;
  const status = initContainerStatuses.at(-1);
  if (!status) return false;
  const container = spec.initContainers?.find(({ name }) => name === status.name);
  if (container && isRestartableInitContainer(container)) return status.started === true;
  return status.state?.terminated?.exitCode === 0;
}

/** The final form of `status`. */
export function terminatedStatus(pod: Pod, status: ApiPodStatus): ApiPodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const lastStarted = initContainerStatuses?.findLastIndex(everStarted) ?? -1;
  return {
    ...status,
    ...(containerStatuses && hasPodInitialized(pod, status) ? { containerStatuses: containerStatuses.map(lost) } : {}),
    ...(initContainerStatuses
      ? { initContainerStatuses: initContainerStatuses.map((container, index) => (index <= Math.max(0, lastStarted) ? lost(container) : container)) }
      : {}),
    ...(isTerminalPhase(status.phase) || isStaticPod(pod) ? {} : { phase: 'Failed' }),
  };
}

/** What neither ended nor waits is gone; the phase stays. Upstream: TerminatePod (v1.20). */
export function terminatedStatusV120(_pod: Pod, status: ApiPodStatus): ApiPodStatus {
  const ended = (list: readonly ContainerStatus[]): readonly ContainerStatus[] =>
    list.map((container) => (container.state?.terminated || container.state?.waiting ? container : lost(container)));
  return {
    ...status,
    ...(status.containerStatuses ? { containerStatuses: ended(status.containerStatuses) } : {}),
    ...(status.initContainerStatuses ? { initContainerStatuses: ended(status.initContainerStatuses) } : {}),
  };
}
