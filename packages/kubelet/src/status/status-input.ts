/**
 * Declares the input of generateAPIPodStatus. Upstream: the kubelet's fields that generateAPIPodStatus reads
 * (pkg/kubelet/kubelet_pods.go, v1.36).
 */
import type { PodStatus as ApiPodStatus, Pod, PodCondition } from '@podscope/k8s';
import type { ContainerResources, PodStatus } from '@podscope/kuberuntime';
import type { FeatureGates } from '../features.ts';
import type { ProbeState } from '../prober/update-pod-status.ts';
import type { ReasonLookup } from '../sync-pod/reason-cache.ts';

/** Why a pod must stop: an expired active deadline or an eviction. */
export interface EvictionVerdict {
  readonly reason: string;
  readonly message: string;
}

export interface StatusInput {
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  /** The status that the status manager has cached. Undefined: the status of the pod object is the base. */
  readonly cached: ApiPodStatus | undefined;
  /** Whether no container of the pod runs or will be started. */
  readonly podIsTerminal: boolean;
  readonly reasons: ReasonLookup;
  readonly probes: ProbeState;
  readonly nodeIPs: readonly string[];
  readonly shouldEvict: (pod: Pod) => EvictionVerdict | undefined;
  /** The stored conditions PodResizePending and PodResizeInProgress. */
  readonly resizeConditions: readonly PodCondition[];
  /** The values of the pod's cgroup; undefined if they weren't read. */
  readonly podCgroup?: ContainerResources | undefined;
  readonly gates: FeatureGates;
  /** Whether the pod's runtime handler supports recursively read-only mounts. Default: no. */
  readonly supportsRecursiveReadOnly?: boolean;
}
