/**
 * Finds a pod's containers and classifies pods as static, mirror or critical. Upstream: pkg/api/v1/pod,
 * pkg/kubelet/types.
 */

import type { Container, EphemeralContainer, Pod, PodSpec } from './types.ts';

/** The list of the pod spec that contains a container. Upstream: podutil.ContainerType. */
export type ContainerKind = 'initContainers' | 'containers' | 'ephemeralContainers';

export interface PodContainer {
  readonly kind: ContainerKind;
  readonly index: number;
  readonly container: Container | EphemeralContainer;
}

/** Returns all containers in upstream's order: init, regular, ephemeral. Upstream: podutil.VisitContainers (v1.36). */
export function* visitContainers(spec: PodSpec): Generator<PodContainer> {
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    let index = 0;
    for (const container of spec[kind] ?? []) {
      yield { kind, index, container };
      index += 1;
    }
  }
}

export function findContainer(pod: Pod, name: string): PodContainer | undefined {
  for (const found of visitContainers(pod.spec)) {
    if (found.container.name === name) return found;
  }
  return undefined;
}

/**
 * Formats the field path of a container in events, for example `spec.containers{web}`. Upstream: kubecontainer
 * fieldPath (v1.36).
 */
export function containerFieldPath(kind: ContainerKind, name: string): string {
  return `spec.${kind}{${name}}`;
}

/**
 * Returns the field path of the container with this name; undefined if the pod has no such container. Upstream also
 * formats the path of a container without a name, for example `spec.containers[0]`.
 */
export function findContainerFieldPath(pod: Pod, name: string): string | undefined {
  const found = findContainer(pod, name);
  return found && containerFieldPath(found.kind, name);
}

/**
 * Returns true for an init container that keeps running alongside the regular ones. Upstream:
 * podutil.IsRestartableInitContainer (v1.36).
 */
export function isRestartableInitContainer(initContainer: Container): boolean {
  return initContainer.restartPolicy === 'Always';
}

/** Returns true for a restartable container in the pod's init list. */
export function isSidecar({ kind, container }: PodContainer): boolean {
  return kind === 'initContainers' && isRestartableInitContainer(container);
}

export const podSourceAnnotation = 'kubernetes.io/config.source';
export const podMirrorAnnotation = 'kubernetes.io/config.mirror';
export const podHashAnnotation = 'kubernetes.io/config.hash';
export const podFirstSeenAnnotation = 'kubernetes.io/config.seen';

/**
 * Returns the source from which the kubelet got the pod; undefined for a pod that no source delivered. Upstream:
 * types.GetPodSource.
 */
export function podSource(pod: Pod): string | undefined {
  return pod.metadata.annotations?.[podSourceAnnotation];
}

/**
 * Returns true for a pod that comes from a file or URL and not from the API. Upstream: kubelet types.IsStaticPod
 * (v1.36).
 */
export function isStaticPod(pod: Pod): boolean {
  const source = podSource(pod);
  return source !== undefined && source !== 'api';
}

/** Returns true for a pod that represents a static pod in the API. Upstream: kubelet types.IsMirrorPod (v1.36). */
export function isMirrorPod(pod: Pod): boolean {
  return pod.metadata.annotations?.[podMirrorAnnotation] !== undefined;
}

/**
 * Returns the UID by which the kubelet knows the pod's containers and its worker. For a mirror pod, this is the UID of
 * its static pod; for any other pod, its own.
 */
export const workerUID = ({ metadata: { uid, annotations } }: Pod): string => annotations?.[podMirrorAnnotation] ?? uid;

/** The lowest priority of system pods. Upstream: scheduling.SystemCriticalPriority. */
export const systemCriticalPriority = 2_000_000_000;

/**
 * Returns true for static pods, mirror pods and pods with a system priority. Upstream: kubelet types.IsCriticalPod
 * (v1.36).
 */
export function isCriticalPod(pod: Pod): boolean {
  return isStaticPod(pod) || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= systemCriticalPriority;
}

/**
 * Returns true for critical pods of the class system-node-critical. Upstream: kubelet types.IsNodeCriticalPod (v1.36).
 */
export function isNodeCriticalPod(pod: Pod): boolean {
  return isCriticalPod(pod) && pod.spec.priorityClassName === 'system-node-critical';
}

/** Returns `name_namespace`. Upstream: kubecontainer.GetPodFullName. */
export function podFullName(pod: Pod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace ?? ''}`;
}
