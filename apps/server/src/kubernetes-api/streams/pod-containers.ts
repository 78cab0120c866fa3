/** Which container of a pod a request means, and what the runtime calls it. */
import { badRequest, type Cluster } from '@podscope/cluster';
import { goQuote, type Pod } from '@podscope/k8s';

/** A pod's container that runs nowhere; the text is the kubelet's. */
export class ContainerNotFoundError extends Error {
  override readonly name = 'ContainerNotFoundError';
}

const names = (containers: readonly { readonly name: string }[] = []): string => `[${containers.map(({ name }) => name).join(' ')}]`;

/**
 * The container that is meant. Upstream: podContainerNameOrDefault (pkg/registry/core/pod/strategy.go, v1.36).
 * @throws ApiError BadRequest when none or an unknown one is named
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
    throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: ${names(containers)}${others.join('')}`);
  }
  const known = [...containers, ...initContainers, ...ephemeralContainers].some(({ name }) => name === requested);
  if (!known) throw badRequest(`container ${requested} is not valid for pod ${metadata.name}`);
  return requested;
}

/** The pod as the runtime shows it. A mirror stands for its static pod. */
const observed = ({ kubelet }: Cluster, { metadata }: Pod) => kubelet.podCache.get(kubelet.podManager.translatePodUID(metadata.uid));

/**
 * The runtime's id of the running instance. Upstream: Kubelet.GetExec and findContainer (v1.36).
 * @throws ContainerNotFoundError
 */
export function runningContainerID(cluster: Cluster, pod: Pod, container: string): string {
  const { status } = observed(cluster, pod);
  const found = status.containerStatuses.find(({ name, state }) => name === container && state === 'running');
  if (!found) throw new ContainerNotFoundError(`container not found (${goQuote(container)})`);
  return found.id.id;
}

/**
 * The runtime's id of the pod's sandbox. Upstream: KubeGenericRuntimeManager.GetPortForward (v1.36).
 * @throws ContainerNotFoundError
 */
export function readySandboxID(cluster: Cluster, pod: Pod): string {
  const { status } = observed(cluster, pod);
  const found = status.sandboxStatuses.find(({ state }) => state === 'SANDBOX_READY');
  if (!found)
    throw new ContainerNotFoundError(`failed to find sandboxID for pod ${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid}): it does not run`);
  return found.id;
}
