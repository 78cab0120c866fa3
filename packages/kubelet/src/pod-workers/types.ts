/** Declares the updates of pod workers and the functions they call. Upstream: pkg/kubelet/pod_workers.go (v1.36). */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { PodStatus, RuntimePod } from '@podscope/kuberuntime';
import type { Context, Instant } from '@podscope/trace';

/** The type of an update. It is also the value of a metric label. */
export type SyncPodType = 'create' | 'update' | 'sync' | 'kill';

/** Returns a changed copy of a generated status, for example with the reason of an eviction. */
export type PodStatusFunction = (status: ApiPodStatus) => ApiPodStatus;

/** Options for terminating a pod. */
export interface KillPodOptions {
  /** Called by the worker when no container of the pod runs any more. */
  readonly completed?: () => void;
  /**
   * Whether the pod is evicted: its content can be removed once it has terminated, even though its API object remains.
   */
  readonly evict?: boolean;
  readonly podStatusFunction?: PodStatusFunction;
  readonly gracePeriodSecondsOverride?: number;
}

/** An update for a pod's worker. It concerns a pod of a source, or a pod that only the runtime knows. */
export interface UpdatePodOptions {
  readonly updateType: SyncPodType;
  /** The span of the UpdatePod call that delivered the update. */
  readonly causedBy?: number;
  readonly startTime: Instant;
  readonly pod?: Pod;
  readonly mirrorPod?: Pod;
  readonly runningPod?: RuntimePod;
  readonly killPodOptions?: KillPodOptions;
}

/** The type of a sync. */
export type PodWorkType = 'sync' | 'terminating' | 'terminated';

/** The outcome of a sync. */
export interface SyncPodOutcome {
  /** Whether the pod has finished, so that the worker terminates it next. */
  readonly isTerminal: boolean;
  /** Runs after the worker has recorded the end of this sync. */
  readonly postSync?: () => void;
}

/** The functions that a worker runs as a sync. A rejected promise makes the worker retry later. */
export interface PodSyncer {
  syncPod(
    ctx: Context,
    updateType: SyncPodType,
    pod: Pod,
    mirrorPod: Pod | undefined,
    podStatus: PodStatus,
  ): Promise<SyncPodOutcome>;
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

/** The state of a worker, for housekeeping. */
export interface PodWorkerState {
  readonly state: PodWorkType;
  /** True when no source delivers the pod any more. */
  readonly orphan: boolean;
  /** True if a source has delivered the pod, false if it is known only from the runtime. */
  readonly hasConfig: boolean;
  readonly isStatic: boolean;
}
