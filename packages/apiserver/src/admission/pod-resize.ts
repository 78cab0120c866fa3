/** Rejects resizes that the node can't grant. Upstream: admission plugin PodResizeValidator (v1.36). */
import {
  compareQuantities,
  type Node,
  type Pod,
  parseQuantity,
  podRequests,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '@podscope/k8s';
import { ApiError, forbidden } from '../api-errors.ts';

/**
 * Checks a pod that is being resized.
 * @throws ApiError Forbidden if the node doesn't exist or isn't a Linux node, or if the pod's requests are larger than
 * all resources that pods can use on the node
 */
export function admitPodResize(pod: Pod, current: Pod, findNode: (name: string) => Node | undefined): void {
  const { nodeName } = pod.spec;
  if (!nodeName || pod.metadata.generation === current.metadata.generation) return;
  const { name } = pod.metadata;
  const node = findNode(nodeName);
  if (!node) throw forbidden('pods', name, `node ${JSON.stringify(nodeName)} not found`);
  const platform = node.metadata.labels?.['kubernetes.io/os'] ?? 'linux';
  if (platform !== 'linux') {
    const detail = `pod resize is only supported on linux nodes, node ${JSON.stringify(nodeName)} is "${platform}"`;
    throw withCause(forbidden('pods', name, detail), 'UnsupportedPlatform');
  }
  const lacking = lackingResources(pod, node);
  if (lacking.length === 0) return;
  const detail = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
  throw withCause(forbidden('pods', name, detail), 'NodeCapacity');
}

const withCause = ({ code, reason, message, details }: ApiError, cause: string): ApiError =>
  new ApiError(code, reason, message, { ...details, causes: [{ reason: cause }] });

/** Upstream: validateRequestsWithinAllocatable. */
function lackingResources(pod: Pod, { status }: Node): readonly string[] {
  const requests = podRequests(pod);
  const compare = (resource: string, amount: (quantity: Quantity) => number): readonly string[] => {
    const requested = requests.get(resource);
    const allocatable = parseQuantity(status?.allocatable?.[resource] ?? '0');
    if (!requested || compareQuantities(requested, allocatable) <= 0) return [];
    return [`${resource}, requested: ${amount(requested)}, allocatable: ${amount(allocatable)}`];
  };
  return [...compare('cpu', quantityMilliValue), ...compare('memory', quantityValue)];
}
