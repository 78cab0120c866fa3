/**
 * Selects the container instance whose log to read and reads its lines, with the kubelet's error texts. Upstream:
 * validateContainerLogStatus (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import { type ContainerLogLine, type ContainerLogOptions, type ContainerLogProvider, isCriError } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, goQuote } from '@podscope/k8s';
import { type ContainerID, formatContainerID, parseContainerID } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';

/** Thrown when a container's log can't be read. The message is shown to the user. */
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
  // A failed start leaves a terminated state without an id, so the previous instance's log is read.
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
