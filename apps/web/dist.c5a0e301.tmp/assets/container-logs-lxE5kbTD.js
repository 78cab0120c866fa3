var e=`/** Which instance's log is meant, and its lines; in the kubelet's words where there are none. Upstream: validateContainerLogStatus (pkg/kubelet/kubelet_pods.go, v1.36). */
import { type ContainerLogLine, type ContainerLogOptions, type ContainerLogProvider, isCriError } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, goQuote } from '@podscope/k8s';
import { type ContainerID, formatContainerID, parseContainerID } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';

/** No log can be read; the message is meant for the user. */
export class ContainerLogError extends Error {
  override readonly name = 'ContainerLogError';
}

/**
 * The id of the instance whose log to read.
 * @throws ContainerLogError saying why there is none.
 */
export function containerLogID(podName: string, status: ApiPodStatus, container: string, previous: boolean): ContainerID {
  const subject = \`container \${goQuote(container)} in pod \${goQuote(podName)}\`;
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])];
  const found = statuses.find(({ name }) => name === container);
  if (!found) throw new ContainerLogError(\`\${subject} is not available\`);
  const { state, lastState, containerID } = found;
  const last = lastState?.terminated?.containerID;
  if (previous) {
    if (last) return parseContainerID(last);
    throw new ContainerLogError(\`previous terminated \${subject} not found\`);
  }
  if (state?.running && containerID) return parseContainerID(containerID);
  // A start that failed leaves a terminated state without id; the log is that of the instance before.
  const ended = state?.terminated?.containerID || last;
  if (ended) return parseContainerID(ended);
  if (state?.terminated) throw new ContainerLogError(\`\${subject} is terminated\`);
  switch (state?.waiting?.reason) {
    case 'ErrImagePull':
      throw new ContainerLogError(\`\${subject} is waiting to start: image can't be pulled\`);
    case 'ImagePullBackOff':
      throw new ContainerLogError(\`\${subject} is waiting to start: trying and failing to pull image\`);
    case undefined:
      throw new ContainerLogError(\`\${subject} is waiting to start - no logs yet\`);
    default:
      throw new ContainerLogError(\`\${subject} is waiting to start: \${state?.waiting?.reason}\`);
  }
}

/**
 * The lines of one instance.
 * @throws ContainerLogError when the runtime no longer has it, as after the kubelet removed all but the newest dead instance. Upstream:
 * GetContainerLogs (pkg/kubelet/kuberuntime, v1.36).
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
    throw new ContainerLogError(\`unable to retrieve container logs for \${formatContainerID(id)}\`, { cause: error });
  }
}
`;export{e as default};
//# sourceMappingURL=container-logs-lxE5kbTD.js.map