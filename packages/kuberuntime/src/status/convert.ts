/**
 * Converts CRI responses to the kubelet's types. Upstream: kuberuntime helpers.go, kuberuntime_container.go (v1.36).
 */
import type {
  ContainerState,
  ContainerStatus,
  Container as CriContainer,
  LinuxContainerResources,
  PodSandbox,
} from '@podscope/cri';
import { fromNanoseconds } from '@podscope/trace';
import { containerInfoFromAnnotations, containerInfoFromLabels } from '../labels.ts';
import type { ContainerResources, RuntimeContainer, State, Status } from '../runtime.ts';

const states: Readonly<Record<ContainerState, State>> = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
};

export const toState = (state: ContainerState): State => states[state];

/** Converts a container from a CRI list. Upstream: toKubeContainer. */
export const toRuntimeContainer = (type: string, container: CriContainer): RuntimeContainer => ({
  id: { type, id: container.id },
  name: containerInfoFromLabels(container.labels).containerName,
  image: container.image.image,
  imageID: container.imageId || container.imageRef,
  hash: containerInfoFromAnnotations(container.annotations).hash,
  state: toState(container.state),
  createdAt: fromNanoseconds(container.createdAt),
  podSandboxID: container.podSandboxId,
});

/** Represents a sandbox as a container. Upstream: sandboxToKubeContainer. */
export const sandboxToRuntimeContainer = (
  type: string,
  { id, metadata, state, createdAt }: PodSandbox,
): RuntimeContainer => ({
  id: { type, id },
  name: metadata.name,
  image: '',
  imageID: '',
  hash: 0,
  state: state === 'SANDBOX_READY' ? 'running' : 'exited',
  createdAt: fromNanoseconds(createdAt),
  podSandboxID: id,
});

const milliPerCPU = 1000;
const sharesPerCPU = 1024;

/** Returns the resources that the runtime reports for a container. Upstream: toKubeContainerResources (v1.36). */
function toContainerResources(linux: LinuxContainerResources | undefined): ContainerResources | undefined {
  if (!linux) return undefined;
  const { cpuShares = 0, cpuQuota = 0, cpuPeriod = 0, memoryLimitInBytes = 0 } = linux;
  return {
    ...(cpuQuota > 0 && cpuPeriod > 0 ? { cpuLimit: Math.ceil((cpuQuota * milliPerCPU) / cpuPeriod) } : {}),
    ...(cpuShares > 0 ? { cpuRequest: Math.ceil((cpuShares * milliPerCPU) / sharesPerCPU) } : {}),
    ...(memoryLimitInBytes > 0 ? { memoryLimit: memoryLimitInBytes } : {}),
  };
}

/** Converts the status of a container. Upstream: toKubeContainerStatus. */
export function toStatus(type: string, status: ContainerStatus): Status {
  const { hash, restartCount } = containerInfoFromAnnotations(status.annotations);
  const state = toState(status.state);
  const exited = state === 'exited';
  return {
    id: { type, id: status.id },
    name: containerInfoFromLabels(status.labels).containerName,
    state,
    createdAt: fromNanoseconds(status.createdAt),
    ...(state === 'created' ? {} : { startedAt: fromNanoseconds(status.startedAt) }),
    ...(exited ? { finishedAt: fromNanoseconds(status.finishedAt) } : {}),
    exitCode: exited ? status.exitCode : 0,
    image: status.image.image,
    imageID: status.imageId || status.imageRef,
    hash,
    restartCount,
    reason: exited ? status.reason : '',
    message: exited ? status.message : '',
    resources: toContainerResources(status.resources?.linux),
  };
}
