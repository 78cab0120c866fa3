/**
 * Selects the instance of a container and reads the lines of its log, with the kubelet's error texts. Upstream:
 * validateContainerLogStatus (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import { type ContainerLogLine, type ContainerLogOptions, type ContainerLogProvider, isCriError } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, goQuote } from '@podscope/k8s';
import { type ContainerID, formatContainerID, parseContainerID } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';

/** The error when a container's log can't be read. The user sees its message. */
export class ContainerLogError extends Error {
  override readonly name = 'ContainerLogError';
}

/**
 * Returns the id of the instance whose log to read.
 * @throws ContainerLogError that explains why no log can be read
 */
export function containerLogID(
  podName: string,
  status: ApiPodStatus,
  container: string,
  previous: boolean,
): ContainerID {
  const subject = `container ${goQuote(container)} in pod ${goQuote(podName)}`;
  const statuses = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  const found = statuses.find(({ name }) => name === container);
  if (!found) throw new ContainerLogError(`${subject} is not available`);
  const { state, lastState, containerID } = found;
  const last = lastState?.terminated?.containerID;
  if (previous) {
    if (last) return parseContainerID(last);
    throw new ContainerLogError(`previous terminated ${subject} not found`);
  }
  if (state?.running && containerID) return parseContainerID(containerID);
  // A container that failed to start has a terminated state without an id, so the log of the previous instance is read.
  const ended = state?.terminated?.containerID || last;
  if (ended) return parseContainerID(ended);
  if (state?.terminated) throw new ContainerLogError(`${subject} is terminated`);
  switch (state?.waiting?.reason) {
    case 'ErrImagePull':
      throw new ContainerLogError(`${subject} is waiting to start: image can't be pulled`);
    case 'ImagePullBackOff':
      throw new ContainerLogError(`${subject} is waiting to start: trying and failing to pull image`);
    case undefined:
      throw new ContainerLogError(`${subject} is waiting to start - no logs yet`);
    default:
      throw new ContainerLogError(`${subject} is waiting to start: ${state?.waiting?.reason}`);
  }
}

/**
 * Yields the lines of one instance's log. Upstream: GetContainerLogs (pkg/kubelet/kuberuntime, v1.36).
 * @throws ContainerLogError when the runtime has removed the instance
 */
export async function* readContainerLog(
  ctx: Context,
  logs: ContainerLogProvider,
  id: ContainerID,
  options: ContainerLogOptions,
): AsyncGenerator<ContainerLogLine> {
  try {
    yield* logs.containerLogs(ctx, id.id, options);
  } catch (error) {
    if (!isCriError(error, 'NotFound')) throw error;
    throw new ContainerLogError(`unable to retrieve container logs for ${formatContainerID(id)}`, { cause: error });
  }
}
