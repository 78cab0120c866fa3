/** Which instance's log is meant, in the kubelet's words where there is none. Upstream: validateContainerLogStatus (pkg/kubelet/kubelet_pods.go, v1.36). */
import { type PodStatus as ApiPodStatus, goQuote } from '@podscope/k8s';
import { type ContainerID, parseContainerID } from '@podscope/kuberuntime';

/** No log can be read; the message is meant for the user. */
export class ContainerLogError extends Error {
  override readonly name = 'ContainerLogError';
}

/**
 * The id of the instance whose log to read.
 * @throws ContainerLogError saying why there is none.
 */
export function containerLogID(podName: string, status: ApiPodStatus, container: string, previous: boolean): ContainerID {
  const subject = `container ${goQuote(container)} in pod ${goQuote(podName)}`;
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])];
  const found = statuses.find(({ name }) => name === container);
  if (!found) throw new ContainerLogError(`${subject} is not available`);
  const { state, lastState, containerID } = found;
  const last = lastState?.terminated?.containerID;
  if (previous) {
    if (last) return parseContainerID(last);
    throw new ContainerLogError(`previous terminated ${subject} not found`);
  }
  if (state?.running && containerID) return parseContainerID(containerID);
  // A start that failed leaves a terminated state without id; the log is that of the instance before.
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
