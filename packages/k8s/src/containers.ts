/** Finding a pod's containers, and the few questions everything asks about a pod: is it static, a mirror, critical? */

import type { Container, EphemeralContainer, Pod, PodSpec } from './types.ts';

/** Which list of the pod spec a container stands in. Upstream: podutil.ContainerType. */
export type ContainerKind = 'initContainers' | 'containers' | 'ephemeralContainers';

export interface PodContainer {
  readonly kind: ContainerKind;
  readonly index: number;
  readonly container: Container | EphemeralContainer;
}

/**
 * All containers in the order upstream visits them: init, regular, ephemeral.
 * Upstream: podutil.VisitContainers (v1.36).
 */
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

/** `spec.containers{web}`: how events name a container. Upstream: kubecontainer fieldPath (v1.36). */
export function containerFieldPath(kind: ContainerKind, name: string): string {
  return `spec.${kind}{${name}}`;
}

/** The field path of a container of the pod by its name. Without the name, upstream gives `spec.containers[0]`-like paths. */
export function findContainerFieldPath(pod: Pod, name: string): string | undefined {
  const found = findContainer(pod, name);
  return found && containerFieldPath(found.kind, name);
}

/** An init container that keeps running beside the regular ones. Upstream: podutil.IsRestartableInitContainer (v1.36). */
export function isRestartableInitContainer(initContainer: Container): boolean {
  return initContainer.restartPolicy === 'Always';
}

/** True for a container of the pod's init list that is restartable. */
export function isSidecar({ kind, container }: PodContainer): boolean {
  return kind === 'initContainers' && isRestartableInitContainer(container);
}

export const podSourceAnnotation = 'kubernetes.io/config.source';
export const podMirrorAnnotation = 'kubernetes.io/config.mirror';
export const podHashAnnotation = 'kubernetes.io/config.hash';
export const podFirstSeenAnnotation = 'kubernetes.io/config.seen';

/** Where the kubelet got the pod from; undefined for a pod that has not passed through its configuration. Upstream: types.GetPodSource. */
export function podSource(pod: Pod): string | undefined {
  return pod.metadata.annotations?.[podSourceAnnotation];
}

/** From a file or URL, not from the API. Upstream: kubelet types.IsStaticPod (v1.36). */
export function isStaticPod(pod: Pod): boolean {
  const source = podSource(pod);
  return source !== undefined && source !== 'api';
}

/** The API's image of a static pod. Upstream: kubelet types.IsMirrorPod (v1.36). */
export function isMirrorPod(pod: Pod): boolean {
  return pod.metadata.annotations?.[podMirrorAnnotation] !== undefined;
}

/** UID of the pod that has containers and a pod worker: that of its static pod for a mirror, the pod's own for every other. */
export const workerUID = ({ metadata: { uid, annotations } }: Pod): string => annotations?.[podMirrorAnnotation] ?? uid;

/** Priorities from here on belong to the system. Upstream: scheduling.SystemCriticalPriority. */
export const systemCriticalPriority = 2_000_000_000;

/** Upstream: kubelet types.IsCriticalPod (v1.36). */
export function isCriticalPod(pod: Pod): boolean {
  return isStaticPod(pod) || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= systemCriticalPriority;
}

/** Upstream: kubelet types.IsNodeCriticalPod (v1.36). */
export function isNodeCriticalPod(pod: Pod): boolean {
  return isCriticalPod(pod) && pod.spec.priorityClassName === 'system-node-critical';
}

/** `name_namespace`. Upstream: kubecontainer.GetPodFullName. */
export function podFullName(pod: Pod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace ?? ''}`;
}
