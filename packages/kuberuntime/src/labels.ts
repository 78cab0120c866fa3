/**
 * Defines the labels and annotations by which the kubelet identifies its sandboxes and containers. Upstream:
 * kuberuntime/labels.go, kubelet/types/labels.go (v1.36).
 */
import type { Container, ContainerPort, LifecycleHandler, Pod } from '@podscope/k8s';
import { formatHash } from './container/container-hash.ts';
import { goJSON } from './util/go-json.ts';

const podNameLabel = 'io.kubernetes.pod.name';
const podNamespaceLabel = 'io.kubernetes.pod.namespace';
export const podUIDLabel = 'io.kubernetes.pod.uid';
const containerNameLabel = 'io.kubernetes.container.name';

const podDeletionGracePeriod = 'io.kubernetes.pod.deletionGracePeriod';
const podTerminationGracePeriod = 'io.kubernetes.pod.terminationGracePeriod';
const containerHash = 'io.kubernetes.container.hash';
const containerRestartCount = 'io.kubernetes.container.restartCount';
const containerTerminationMessagePath = 'io.kubernetes.container.terminationMessagePath';
const containerTerminationMessagePolicy = 'io.kubernetes.container.terminationMessagePolicy';
const containerPreStopHandler = 'io.kubernetes.container.preStopHandler';
const containerPorts = 'io.kubernetes.container.ports';

type Texts = Readonly<Record<string, string>>;

/** Returns the labels of a sandbox. Upstream: newPodLabels. */
export const newPodLabels = ({ metadata }: Pod): Texts => ({
  ...metadata.labels,
  [podNameLabel]: metadata.name,
  [podNamespaceLabel]: metadata.namespace ?? '',
  [podUIDLabel]: metadata.uid,
});

/**
 * Returns a container's labels. The pod's own labels are not among them; they are the sandbox's. Upstream:
 * newContainerLabels.
 */
export const newContainerLabels = ({ name }: Container, { metadata }: Pod): Texts => ({
  [podNameLabel]: metadata.name,
  [podNamespaceLabel]: metadata.namespace ?? '',
  [podUIDLabel]: metadata.uid,
  [containerNameLabel]: name,
});

/**
 * Returns the port with its fields in the order of the API, so that the JSON doesn't depend on the order in the
 * manifest.
 */
const portInOrder = ({ name, hostPort, containerPort, protocol, hostIP }: ContainerPort): ContainerPort => ({
  name: name || undefined,
  hostPort: hostPort || undefined,
  containerPort,
  protocol: protocol || undefined,
  hostIP: hostIP || undefined,
});

const handlerInOrder = ({ exec, httpGet, tcpSocket, sleep }: LifecycleHandler): LifecycleHandler => ({
  exec,
  httpGet: httpGet && {
    path: httpGet.path || undefined,
    port: httpGet.port,
    host: httpGet.host || undefined,
    scheme: httpGet.scheme || undefined,
    httpHeaders: httpGet.httpHeaders?.length
      ? httpGet.httpHeaders.map(({ name, value }) => ({ name, value }))
      : undefined,
  },
  tcpSocket: tcpSocket && { port: tcpSocket.port, host: tcpSocket.host || undefined },
  sleep,
});

/**
 * Returns a container's annotations. The kubelet's annotations override annotations with the same key in `own`, which
 * come from device plugins. Upstream: newContainerAnnotations.
 */
export function newContainerAnnotations(
  container: Container,
  pod: Pod,
  restartCount: number,
  hash: number,
  own: Texts,
): Texts {
  const { deletionGracePeriodSeconds } = pod.metadata;
  const { terminationGracePeriodSeconds } = pod.spec;
  const preStop = container.lifecycle?.preStop;
  return {
    ...own,
    [containerHash]: formatHash(hash),
    [containerRestartCount]: String(restartCount),
    [containerTerminationMessagePath]: container.terminationMessagePath ?? '',
    [containerTerminationMessagePolicy]: container.terminationMessagePolicy ?? '',
    ...(deletionGracePeriodSeconds === undefined
      ? {}
      : { [podDeletionGracePeriod]: String(deletionGracePeriodSeconds) }),
    ...(terminationGracePeriodSeconds === undefined
      ? {}
      : { [podTerminationGracePeriod]: String(terminationGracePeriodSeconds) }),
    ...(preStop ? { [containerPreStopHandler]: goJSON(handlerInOrder(preStop)) } : {}),
    ...(container.ports?.length ? { [containerPorts]: goJSON(container.ports.map(portInOrder)) } : {}),
  };
}

/** The information in a container's labels. Upstream: labeledContainerInfo. */
export interface LabeledContainer {
  readonly podName: string;
  readonly podNamespace: string;
  readonly podUID: string;
  readonly containerName: string;
}

/** Returns the information in a container's labels. Upstream: getContainerInfoFromLabels. */
export const containerInfoFromLabels = (labels: Texts): LabeledContainer => ({
  podName: labels[podNameLabel] ?? '',
  podNamespace: labels[podNamespaceLabel] ?? '',
  podUID: labels[podUIDLabel] ?? '',
  containerName: labels[containerNameLabel] ?? '',
});

/** The information in a container's annotations. Upstream: annotatedContainerInfo. */
export interface AnnotatedContainer {
  readonly hash: number;
  readonly restartCount: number;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
  readonly podDeletionGracePeriod: number | undefined;
  readonly podTerminationGracePeriod: number | undefined;
  readonly preStopHandler: LifecycleHandler | undefined;
  readonly ports: readonly ContainerPort[];
}

const numberOf = (text: string | undefined, pattern: RegExp, radix: number): number | undefined =>
  text !== undefined && pattern.test(text) ? Number.parseInt(text, radix) : undefined;

const decimalOf = (text: string | undefined): number | undefined => numberOf(text, /^-?\d+$/, 10);

/**
 * Parses JSON. Returns undefined for a missing or invalid text, because another version may have created the container.
 */
function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the information in a container's annotations. A missing or invalid number is 0 or undefined. Upstream:
 * getContainerInfoFromAnnotations.
 */
export function containerInfoFromAnnotations(annotations: Texts): AnnotatedContainer {
  const handler = jsonOf(annotations[containerPreStopHandler]);
  const ports = jsonOf(annotations[containerPorts]);
  return {
    hash: numberOf(annotations[containerHash], /^[0-9a-f]+$/i, 16) ?? 0,
    restartCount: decimalOf(annotations[containerRestartCount]) ?? 0,
    terminationMessagePath: annotations[containerTerminationMessagePath] ?? '',
    terminationMessagePolicy: annotations[containerTerminationMessagePolicy] ?? '',
    podDeletionGracePeriod: decimalOf(annotations[podDeletionGracePeriod]),
    podTerminationGracePeriod: decimalOf(annotations[podTerminationGracePeriod]),
    preStopHandler: typeof handler === 'object' && handler !== null ? handler : undefined,
    ports: Array.isArray(ports) ? (ports as ContainerPort[]) : [],
  };
}
