/**
 * Sets `started` and `ready` in a status from probe results. Upstream: prober manager UpdatePodStatus
 * (pkg/kubelet/prober/prober_manager.go, v1.36).
 */
import {
  type PodStatus as ApiPodStatus,
  type ContainerStatus,
  isRestartableInitContainer,
  type Pod,
} from '@podscope/k8s';
import { type ContainerID, type ProbeResult, parseContainerID } from '@podscope/kuberuntime';
import { type Instant, parseTime } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';

export type ProbeType = 'liveness' | 'readiness' | 'startup';

/** The probe results of a pod. */
export interface ProbeState {
  result(type: ProbeType, id: ContainerID): ProbeResult | undefined;
  hasWorker(type: ProbeType, uid: string, container: string): boolean;
  /** Runs the readiness probe of a container now. */
  triggerReadiness(uid: string, container: string): void;
  /** When this kubelet started to probe. */
  readonly startTime: Instant;
}

/** A container that started at least this many ms before the kubelet keeps its readiness. */
const restartTolerance = 10_000;

const idOf = ({ containerID }: ContainerStatus): ContainerID | undefined =>
  containerID ? parseContainerID(containerID) : undefined;

function isStarted(pod: Pod, status: ContainerStatus, probes: ProbeState, gates: FeatureGates): boolean {
  const id = idOf(status);
  if (!status.state?.running || !id) return false;
  const result = probes.result('startup', id);
  if (result !== undefined) return result === 'success';
  if (!gates.ChangeContainerStatusOnKubeletRestart && status.started) return true;
  return !probes.hasWorker('startup', pod.metadata.uid, status.name);
}

const ranBeforeKubelet = ({ state }: ContainerStatus, probes: ProbeState): boolean => {
  const startedAt = state?.running?.startedAt;
  return typeof startedAt === 'string' && parseTime(startedAt) < probes.startTime - restartTolerance;
};

function isReady(pod: Pod, status: ContainerStatus, probes: ProbeState, gates: FeatureGates): boolean {
  const wasReady =
    pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
  const id = idOf(status);
  if (!status.state?.running || !id) return false;
  const result = probes.result('readiness', id);
  if (result === 'success') return true;
  const { uid } = pod.metadata;
  const exists = probes.hasWorker('readiness', uid, status.name);
  if (exists) probes.triggerReadiness(uid, status.name);
  if (gates.ChangeContainerStatusOnKubeletRestart || result !== undefined || !ranBeforeKubelet(status, probes))
    return !exists;
  // The first status after the kubelet's restart is computed before the pod's workers exist. Upstream:
  // setReadyStateOnKubeletRestart.
  const container = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find(
    ({ name }) => name === status.name,
  );
  return container?.readinessProbe === undefined || wasReady;
}

/** Returns the status in which `started` and `ready` of every container come from the probe results. */
export function updatePodStatus(pod: Pod, status: ApiPodStatus, probes: ProbeState, gates: FeatureGates): ApiPodStatus {
  const probed = (container: ContainerStatus): ContainerStatus => {
    const started = isStarted(pod, container, probes, gates);
    return { ...container, started, ready: started ? isReady(pod, container, probes, gates) : container.ready };
  };
  const sidecars = new Set((pod.spec.initContainers ?? []).filter(isRestartableInitContainer).map(({ name }) => name));
  const initContainer = (container: ContainerStatus): ContainerStatus => {
    if (sidecars.has(container.name)) return probed(container);
    const ready = container.ready || container.state?.terminated?.exitCode === 0;
    return { ...container, started: isStarted(pod, container, probes, gates), ready };
  };
  return {
    ...status,
    ...(status.containerStatuses ? { containerStatuses: status.containerStatuses.map(probed) } : {}),
    ...(status.initContainerStatuses ? { initContainerStatuses: status.initContainerStatuses.map(initContainer) } : {}),
  };
}
