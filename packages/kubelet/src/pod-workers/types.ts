/** What pod workers are told, and what they call. Upstream: pkg/kubelet/pod_workers.go (v1.36). */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { PodStatus, RuntimePod } from '@podscope/kuberuntime';
import type { Context, Instant } from '@podscope/trace';

/** Why a worker should look at its pod. The words are labels of metrics, too. */
export type SyncPodType = 'create' | 'update' | 'sync' | 'kill';

/** Edits a generated status: who evicts a pod says so in it. */
export type PodStatusFunction = (status: ApiPodStatus) => ApiPodStatus;

/** How to end a pod. */
export interface KillPodOptions {
  /** Called once nothing of the pod runs. */
  readonly completed?: () => void;
  /** The pod's content may go as soon as it has ended, although the API still shows it. */
  readonly evict?: boolean;
  readonly podStatusFunction?: PodStatusFunction;
  readonly gracePeriodSecondsOverride?: number;
}

/** One message to a pod's worker: about a pod, or about something only the runtime knows. */
export interface UpdatePodOptions {
  readonly updateType: SyncPodType;
  /** When what caused this began. */
  /** The span of the UpdatePod that brought it. */
  readonly causedBy?: number;
  readonly startTime: Instant;
  readonly pod?: Pod;
  readonly mirrorPod?: Pod;
  readonly runningPod?: RuntimePod;
  readonly killPodOptions?: KillPodOptions;
}

/** What a pass of the worker does. */
export type PodWorkType = 'sync' | 'terminating' | 'terminated';

/** The outcome of a sync. */
export interface SyncPodOutcome {
  /** The pod has ended: it goes on to terminating. */
  readonly isTerminal: boolean;
  /** Runs once the worker has noted the end of this pass. */
  readonly postSync?: () => void;
}

/** The work itself. A rejection means: try again later. */
export interface PodSyncer {
  syncPod(ctx: Context, updateType: SyncPodType, pod: Pod, mirrorPod: Pod | undefined, podStatus: PodStatus): Promise<SyncPodOutcome>;
  syncTerminatingPod(
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    gracePeriodSeconds: number | undefined,
    podStatusFunction: PodStatusFunction | undefined,
  ): Promise<void>;
  syncTerminatingRuntimePod(ctx: Context, runningPod: RuntimePod): Promise<void>;
  syncTerminatedPod(ctx: Context, pod: Pod, podStatus: PodStatus): Promise<void>;
}

/** A worker as housekeeping sees it. */
export interface PodWorkerState {
  readonly state: PodWorkType;
  /** No source wants the pod any more. */
  readonly orphan: boolean;
  /** A pod of a source stood behind it at some time. */
  readonly hasConfig: boolean;
  readonly isStatic: boolean;
}
