/** Resolves the container of a request and its id in the runtime. */
import { badRequest } from '@podscope/apiserver';
import { goQuote, type Pod } from '@podscope/k8s';
import type { NodeHost } from '@podscope/node';

/** Thrown if the container or sandbox isn't running. The message is the kubelet's. */
export class ContainerNotFoundError extends Error {
  override readonly name = 'ContainerNotFoundError';
}

const names = (containers: readonly { readonly name: string }[] = []): string =>
  `[${containers.map(({ name }) => name).join(' ')}]`;

/**
 * Returns the name of the requested container, or of the pod's only container if the request names no container.
 * Upstream: podContainerNameOrDefault (pkg/registry/core/pod/strategy.go, v1.36).
 * @throws ApiError BadRequest if a name is required or unknown
 */
export function containerOf({ spec, metadata }: Pod, requested: string | undefined): string {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const [first] = containers;
  if (requested === undefined) {
    if (first && containers.length === 1) return first.name;
    const others = [
      ...(initContainers.length > 0 ? [` or one of the init containers: ${names(initContainers)}`] : []),
      ...(ephemeralContainers.length > 0 ? [` or one of the ephemeral containers: ${names(ephemeralContainers)}`] : []),
    ];
    throw badRequest(
      `a container name must be specified for pod ${metadata.name}, choose one of: ` +
        `${names(containers)}${others.join('')}`,
    );
  }
  const known = [...containers, ...initContainers, ...ephemeralContainers].some(({ name }) => name === requested);
  if (!known) throw badRequest(`container ${requested} is not valid for pod ${metadata.name}`);
  return requested;
}

/** Returns the pod's status in the runtime cache. For a mirror pod, returns the status of its static pod. */
const observed = ({ kubelet }: NodeHost, { metadata }: Pod) =>
  kubelet.podCache.get(kubelet.podManager.translatePodUID(metadata.uid));

/**
 * Returns the runtime's id of the running container. Upstream: Kubelet.GetExec and findContainer (v1.36).
 * @throws ContainerNotFoundError
 */
export function runningContainerID(nodeHost: NodeHost, pod: Pod, container: string): string {
  const { status } = observed(nodeHost, pod);
  const found = status.containerStatuses.find(({ name, state }) => name === container && state === 'running');
  if (!found) throw new ContainerNotFoundError(`container not found (${goQuote(container)})`);
  return found.id.id;
}

/**
 * Returns the runtime's id of the pod's ready sandbox. Upstream: KubeGenericRuntimeManager.GetPortForward (v1.36).
 * @throws ContainerNotFoundError
 */
export function readySandboxID(nodeHost: NodeHost, pod: Pod): string {
  const { status } = observed(nodeHost, pod);
  const found = status.sandboxStatuses.find(({ state }) => state === 'SANDBOX_READY');
  if (!found)
    throw new ContainerNotFoundError(
      `failed to find sandboxID for pod ${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid}): it ` +
        'does not run',
    );
  return found.id;
}
