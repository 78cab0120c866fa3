/**
 * Builds minimal configurations of sandboxes and containers that a kubelet recognizes as its own. Code that creates
 * containers without a kubelet uses them.
 */
import type { ContainerConfig, PodSandboxConfig } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import { newContainerAnnotations, newContainerLabels, newPodLabels } from './labels.ts';
import { buildContainerLogsPath, buildPodLogsDirectory } from './log-paths.ts';
import type { Profile } from './runtime-dependencies.ts';

/** Returns the configuration of a pod's first sandbox. */
export const recognisedSandbox = (profile: Profile, pod: Pod, podLogsDir: string): PodSandboxConfig => ({
  metadata: { name: pod.metadata.name, uid: pod.metadata.uid, namespace: pod.metadata.namespace ?? '', attempt: 0 },
  hostname: pod.spec.hostname ?? pod.metadata.name,
  logDirectory: buildPodLogsDirectory(podLogsDir, pod),
  labels: newPodLabels(pod),
  annotations: pod.metadata.annotations ?? {},
  linux: { securityContext: { namespaceOptions: profile.namespaces(pod) } },
});

/** Returns the configuration of a container with this restart count. Its image has the name in the spec. */
export const recognisedContainer = (
  profile: Profile,
  pod: Pod,
  container: Container,
  restartCount: number,
): ContainerConfig => ({
  metadata: { name: container.name, attempt: restartCount },
  image: { image: container.image ?? '' },
  command: container.command ?? [],
  args: container.args ?? [],
  labels: newContainerLabels(container, pod),
  annotations: newContainerAnnotations(container, pod, restartCount, profile.hashContainer(container), {}),
  logPath: buildContainerLogsPath(container.name, restartCount),
});
