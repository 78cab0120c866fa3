/** What differs between releases in probing. Upstream: pkg/kubelet/prober, pkg/probe (v1.36 and v1.20). */
import { type PodStatus as ApiPodStatus, type Container, type ContainerStatus, goQuote, isRestartableInitContainer, type Pod } from '@podscope/k8s';
import { containerShouldRestart, formatGoDuration } from '@podscope/kuberuntime';
import type { Milliseconds } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import { type ProbeState, type ProbeType, updatePodStatus } from './update-pod-status.ts';
import { updatePodStatusV120 } from './update-pod-status-v1-20.ts';

export interface ProbeProfile {
  readonly userAgent: string;
  /** Which of a pod's containers are probed. */
  readonly probed: (pod: Pod) => readonly Container[];
  readonly supportsGrpc: boolean;
  readonly texts: {
    readonly errored: (title: string, error: string) => string;
    /** What a command said that was cut off. */
    readonly execTimeout: (command: readonly string[], timeout: Milliseconds) => string;
    readonly redirect: (body: string) => string;
  };
  /** Workers always sleep a part of the period first, not only just after the kubelet's start. */
  readonly alwaysSleepsFirst: boolean;
  /** A pod that is being deleted is not killed by its probes. */
  readonly endsWithDeletion: boolean;
  /** A startup probe that succeeded is over. */
  readonly startupSuccessHolds: boolean;
  /** A container that ended is worth waiting for. */
  readonly mayComeBack: (container: Container, pod: Pod, exitCode: number, gates: FeatureGates) => boolean;
  /** Sets `started` and `ready` of the containers of a status. */
  readonly updatePodStatus: (pod: Pod, status: ApiPodStatus, probes: ProbeState, gates: FeatureGates) => ApiPodStatus;
  /** Whether a result makes the sync loop look at the pod; else it only changes the status. */
  readonly syncsPod: (type: ProbeType) => boolean;
  readonly statusesOf: (status: ApiPodStatus) => readonly ContainerStatus[];
}

export const probeProfileV136: ProbeProfile = {
  userAgent: 'kube-probe/1.36',
  probed: ({ spec }) => [...spec.containers, ...(spec.initContainers ?? []).filter(isRestartableInitContainer)],
  supportsGrpc: true,
  texts: {
    errored: (title, error) => `${title} probe errored and resulted in unknown state: ${error}`,
    execTimeout: (command, timeout) => `command timed out: ${goQuote(command.join(' '))} timed out after ${formatGoDuration(timeout)}`,
    redirect: (body) => `Probe terminated redirects, Response body: ${body}`,
  },
  alwaysSleepsFirst: false,
  endsWithDeletion: true,
  startupSuccessHolds: true,
  mayComeBack: containerShouldRestart,
  updatePodStatus,
  syncsPod: () => true,
  statusesOf: ({ containerStatuses = [], initContainerStatuses = [] }) => [...containerStatuses, ...initContainerStatuses],
};

export const probeProfileV120: ProbeProfile = {
  userAgent: 'kube-probe/1.20',
  probed: ({ spec }) => spec.containers,
  supportsGrpc: false,
  texts: {
    errored: (title, error) => `${title} probe errored: ${error}`,
    // The runtime's answer is lost with the timeout, and with it what the command had said.
    execTimeout: () => '',
    redirect: (body) => body,
  },
  alwaysSleepsFirst: true,
  endsWithDeletion: false,
  startupSuccessHolds: false,
  mayComeBack: (_container, { spec }) => spec.restartPolicy !== 'Never',
  updatePodStatus: updatePodStatusV120,
  syncsPod: (type) => type === 'liveness',
  statusesOf: ({ containerStatuses = [] }) => containerStatuses,
};
