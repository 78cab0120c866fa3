/**
 * Converts CRI responses to the kubelet's types. Upstream: kuberuntime helpers.go, kuberuntime_container.go (v1.36).
 */
import type {
  ContainerState,
  ContainerStatus,
  ContainerUser,
  Container as CriContainer,
  PodSandbox,
} from '@podscope/cri';
import type { ResourceRequirements } from '@podscope/k8s';
import { fromNanoseconds } from '@podscope/trace';
import { containerInfoFromAnnotations, containerInfoFromLabels } from '../labels.ts';
import type { RuntimeGates } from '../profiles/gates.ts';
import type { ActuatedResources } from '../resize/actuated-resources.ts';
import { resourceNumbers } from '../resize/container-resources.ts';
import type { PodCgroupConfig } from '../resize/pod-cgroups.ts';
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

/**
 * Returns the resources to which the values of a cgroup correspond; undefined if none is set. Upstream:
 * toKubeContainerResources, and for pods cm.CPURequestsFromConfig, CPULimitsFromConfig, MemoryLimitsFromConfig (v1.36).
 */
export function toContainerResources(config: PodCgroupConfig): ContainerResources | undefined {
  const { cpuShares = 0, cpuQuota = 0, cpuPeriod = 0, memory = 0 } = config;
  const cpuLimit = cpuQuota > 0 && cpuPeriod > 0 ? Math.floor((cpuQuota * milliPerCPU) / cpuPeriod) : 0;
  const resources = {
    ...(cpuLimit > 0 ? { cpuLimit } : {}),
    ...(cpuShares > 0 ? { cpuRequest: Math.ceil((cpuShares * milliPerCPU) / sharesPerCPU) } : {}),
    ...(memory > 0 ? { memoryLimit: memory } : {}),
  };
  return Object.keys(resources).length > 0 ? resources : undefined;
}

/**
 * Adds the values that the runtime doesn't report, from the resources that were last applied. A runtime never reports
 * the memory request, because the kernel doesn't know it. Upstream: toKubeContainerStatus (v1.36).
 */
function withActuated(
  reported: ContainerResources | undefined,
  actuated: ResourceRequirements | undefined,
): ContainerResources | undefined {
  if (!actuated) return reported;
  const { cpuRequest, cpuLimit, memoryRequest, memoryLimit } = resourceNumbers(actuated);
  if (!reported) return { cpuRequest, cpuLimit, memoryRequest, memoryLimit };
  return memoryRequest > 0 ? { ...reported, memoryRequest } : reported;
}

/** Returns the user of a container's first process. Upstream: toKubeContainerUser. */
const toUser = ({ linux }: ContainerUser): Status['user'] => {
  if (!linux) return {};
  const { uid, gid, supplementalGroups = [] } = linux;
  return { linux: { uid, gid, ...(supplementalGroups.length > 0 ? { supplementalGroups } : {}) } };
};

/** Facts of this kubelet on which the status of a container depends. */
export interface StatusFacts {
  readonly gates: RuntimeGates;
  /** Returns the resources that were last applied to a container. */
  readonly actuated?: Pick<ActuatedResources, 'container'>;
}

/** Converts the status of a container. Upstream: toKubeContainerStatus. */
export function toStatus(type: string, status: ContainerStatus, { gates, actuated }: StatusFacts): Status {
  const { hash, restartCount } = containerInfoFromAnnotations(status.annotations);
  const { containerName, podUID } = containerInfoFromLabels(status.labels);
  const state = toState(status.state);
  const exited = state === 'exited';
  const { user, stopSignal = 'RUNTIME_DEFAULT', resources: { linux } = {} } = status;
  return {
    id: { type, id: status.id },
    name: containerName,
    state,
    createdAt: fromNanoseconds(status.createdAt),
    ...(state === 'created' ? {} : { startedAt: fromNanoseconds(status.startedAt) }),
    ...(exited ? { finishedAt: fromNanoseconds(status.finishedAt) } : {}),
    exitCode: exited ? status.exitCode : 0,
    image: status.image.image,
    imageID: status.imageId || status.imageRef,
    imageRef: status.imageRef,
    hash,
    restartCount,
    reason: exited ? status.reason : '',
    message: exited ? status.message : '',
    ...(gates.InPlacePodVerticalScaling
      ? {
          resources: withActuated(
            linux && toContainerResources({ ...linux, memory: linux.memoryLimitInBytes }),
            actuated?.container(podUID, containerName),
          ),
        }
      : {}),
    ...(gates.SupplementalGroupsPolicy && user ? { user: toUser(user) } : {}),
    ...(gates.ContainerStopSignals && stopSignal !== 'RUNTIME_DEFAULT' ? { stopSignal } : {}),
  };
}
