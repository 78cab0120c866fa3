/** Declares the differences between releases in probes. Upstream: pkg/kubelet/prober, pkg/probe (v1.36 and v1.20). */
import { formatGoDuration } from '@podscope/base';
import {
  type PodStatus as ApiPodStatus,
  type Container,
  type ContainerStatus,
  goQuote,
  isRestartableInitContainer,
  type Pod,
} from '@podscope/k8s';
import { containerShouldRestart } from '@podscope/kuberuntime';
import type { Milliseconds } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import { type ProbeState, type ProbeType, updatePodStatus } from './update-pod-status.ts';

export interface ProbeProfile {
  readonly userAgent: string;
  /** Returns the pod's containers that are probed. */
  readonly probed: (pod: Pod) => readonly Container[];
  readonly supportsGrpc: boolean;
  readonly texts: {
    readonly errored: (title: string, error: string) => string;
    /** Returns the output to report for a command that timed out. */
    readonly execTimeout: (command: readonly string[], timeout: Milliseconds) => string;
    readonly redirect: (body: string) => string;
  };
  /**
   * Whether the first probe of a new worker is always delayed by a random part of its period. If false, it is delayed
   * only in the first period after the kubelet's start.
   */
  readonly alwaysSleepsFirst: boolean;
  /** Whether a liveness or startup probe ends if the pod was already being deleted when its worker was created. */
  readonly endsWithDeletion: boolean;
  /** Whether a startup probe ends after its first success. */
  readonly startupSuccessHolds: boolean;
  /** Returns whether a terminated container may be restarted. */
  readonly mayComeBack: (container: Container, pod: Pod, exitCode: number, gates: FeatureGates) => boolean;
  /** Sets `started` and `ready` of the containers in a status. */
  readonly updatePodStatus: (pod: Pod, status: ApiPodStatus, probes: ProbeState, gates: FeatureGates) => ApiPodStatus;
  /** Returns whether a result of this type causes a sync of the pod. Otherwise it only changes the status. */
  readonly syncsPod: (type: ProbeType) => boolean;
  readonly statusesOf: (status: ApiPodStatus) => readonly ContainerStatus[];
}

/** Returns whether a container of this name is in the pod's init list and restarts always. */
export const isSidecarOf = ({ spec }: Pod, container: Container): boolean =>
  isRestartableInitContainer(container) && (spec.initContainers?.some(({ name }) => name === container.name) ?? false);

export const probeProfileV136: ProbeProfile = {
  userAgent: 'kube-probe/1.36',
  probed: ({ spec }) => [...spec.containers, ...(spec.initContainers ?? []).filter(isRestartableInitContainer)],
  supportsGrpc: true,
  texts: {
    errored: (title, error) => `${title} probe errored and resulted in unknown state: ${error}`,
    execTimeout: (command, timeout) =>
      `command timed out: ${goQuote(command.join(' '))} timed out after ${formatGoDuration(timeout)}`,
    redirect: (body) => `Probe terminated redirects, Response body: ${body}`,
  },
  alwaysSleepsFirst: false,
  endsWithDeletion: true,
  startupSuccessHolds: true,
  mayComeBack: (container, pod, exitCode, gates) =>
    gates.ContainerRestartRules
      ? containerShouldRestart(container, pod, exitCode, gates)
      : pod.spec.restartPolicy !== 'Never' || isSidecarOf(pod, container),
  updatePodStatus,
  syncsPod: () => true,
  statusesOf: ({ containerStatuses = [], initContainerStatuses = [] }) => [
    ...containerStatuses,
    ...initContainerStatuses,
  ],
};
