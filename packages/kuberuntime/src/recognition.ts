/**
 * What the kubelet recognises a pod's sandbox and containers by, and no more: for whoever puts them into a runtime in its place, so that a
 * kubelet that starts there takes them for its own.
 */
import type { ContainerConfig, PodSandboxConfig } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import { newContainerAnnotations, newContainerLabels, newPodLabels } from './labels.ts';
import { buildContainerLogsPath, buildPodLogsDirectory } from './log-paths.ts';
import type { Profile } from './profiles/profile.ts';

/** The sandbox of a pod, its first attempt. */
export const recognisedSandbox = (profile: Profile, pod: Pod, podLogsDir: string): PodSandboxConfig => ({
  metadata: { name: pod.metadata.name, uid: pod.metadata.uid, namespace: pod.metadata.namespace ?? '', attempt: 0 },
  hostname: pod.spec.hostname ?? pod.metadata.name,
  logDirectory: buildPodLogsDirectory(podLogsDir, pod),
  labels: newPodLabels(pod),
  annotations: pod.metadata.annotations ?? {},
  linux: { securityContext: { namespaceOptions: profile.namespaces(pod) } },
});

/** A container of a pod, by its restart count. Its image is named as the spec does. */
export const recognisedContainer = (profile: Profile, pod: Pod, container: Container, restartCount: number): ContainerConfig => ({
  metadata: { name: container.name, attempt: restartCount },
  image: { image: container.image ?? '' },
  command: container.command ?? [],
  args: container.args ?? [],
  labels: newContainerLabels(container, pod),
  annotations: newContainerAnnotations(container, pod, restartCount, profile.hashContainer(container), {}),
  logPath: buildContainerLogsPath(container.name, restartCount),
});
