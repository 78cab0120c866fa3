/** Builds the last status of a pod after all its resources were released. Upstream: TerminatePod (v1.36). */
import {
  type PodStatus as ApiPodStatus,
  type ContainerStatus,
  isRestartableInitContainer,
  isStaticPod,
  type Pod,
} from '@podscope/k8s';
import { isTerminalPhase } from './manager/merge-pod-status.ts';

/**
 * Marks a container that hasn't terminated as lost, with exit code 137. Returns the status of a terminated container
 * unchanged.
 */
export const markLost = (container: ContainerStatus): ContainerStatus =>
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

const everStarted = ({ state, lastState }: ContainerStatus): boolean =>
  !state?.waiting || lastState?.terminated !== undefined;

/**
 * True when the pod's initialization is complete. As in upstream, only the status in the pod object counts. The object
 * of a static pod has no status. Upstream: hasPodInitialized.
 */
function hasPodInitialized({ spec, status = {} }: Pod): boolean {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  if ((spec.initContainers?.length ?? 0) === 0 || containerStatuses.some(everStarted)) return true;
  const last = initContainerStatuses.at(-1);
  if (!last) return false;
  const container = spec.initContainers?.find(({ name }) => name === last.name);
  if (container && isRestartableInitContainer(container))
    return last.state?.running !== undefined && last.started === true;
  return [last.state, last.lastState].some((state) => state?.terminated?.exitCode === 0);
}

/** Returns `status` with every started container terminated. For a pod of the API, the phase becomes terminal. */
export function terminatedStatus(pod: Pod, status: ApiPodStatus): ApiPodStatus {
  const { containerStatuses, initContainerStatuses } = status;
  const lastStarted = initContainerStatuses?.findLastIndex(everStarted) ?? -1;
  return {
    ...status,
    ...(containerStatuses && hasPodInitialized(pod) ? { containerStatuses: containerStatuses.map(markLost) } : {}),
    ...(initContainerStatuses
      ? {
          initContainerStatuses: initContainerStatuses.map((container, index) =>
            index <= Math.max(0, lastStarted) ? markLost(container) : container,
          ),
        }
      : {}),
    ...(isTerminalPhase(status.phase) || isStaticPod(pod) ? {} : { phase: 'Failed' }),
  };
}
