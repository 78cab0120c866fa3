/**
 * Declares the part of the kubelet that each release implements itself: pod workers, and the handlers that send them
 * updates.
 */
import type { ContainerRuntime } from '@podscope/cri';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { PodStateProvider } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodConfig } from '../config/pod-config.ts';
import type { PodCache } from '../container/pod-cache.ts';
import type { KubeletDependencies } from '../dependencies.ts';
import type { SyncHandler } from '../loop/sync-handler.ts';
import type { Measures } from '../metrics/measures.ts';
import type { PodManager } from '../pod/pod-manager.ts';
import type { PodStatusFunction, PodWorkerState } from '../pod-workers/types.ts';
import type { SyncPodDependencies } from '../sync-pod/dependencies.ts';
import type { StrictClock } from '../util/strict-clock.ts';
import type { TaskGroup } from '../util/task-group.ts';
import type { WorkQueue } from '../util/work-queue.ts';

/** The workers and handlers of a release, as the rest of the kubelet calls them. */
export interface PodWork extends PodStateProvider {
  readonly handler: SyncHandler;
  /** Sets the context of the workers and restores the state that an earlier run stored. */
  start(ctx: Context): Promise<void>;
  /** Makes a pod's worker sync the pod now. */
  resync(ctx: Context, pod: Pod): void;
  /** True while containers of this pod run or may still be started. */
  couldHaveRunningContainers(uid: string): boolean;
  /**
   * Terminates a pod now and sets a status that contains the reason.
   * @throws Error when the termination exceeds its timeout
   */
  evict(ctx: Context, pod: Pod, status: ApiPodStatus): Promise<void>;
  /** True when an evicted pod has ended and left nothing on the node that the next eviction waits for. */
  isCleanedUp(pod: Pod): boolean;
  /**
   * Terminates a pod without evicting it and waits until it has ended.
   * @param edit returns the status with the reason of the termination
   * @param gracePeriodSeconds the longest grace period of the pod
   * @throws Error when the termination exceeds its timeout
   */
  terminate(ctx: Context, pod: Pod, edit: PodStatusFunction, gracePeriodSeconds: number): Promise<void>;
  /** True when no container, volume or cgroup of the pod is left on the node. */
  podResourcesAreReclaimed(pod: Pod, status: ApiPodStatus): boolean;
  /** Returns the pods that use the node's resources, for admission and for the weights of QoS classes. */
  activePods(): readonly Pod[];
  /** Returns the states of the workers; empty in a release whose workers keep no states. */
  workingPods(): readonly PodWorkerState[];
}

/** The dependencies of a release's workers and handlers. */
interface PodWorkDependencies {
  readonly kubelet: KubeletDependencies;
  readonly podManager: PodManager;
  readonly podCache: PodCache;
  readonly podConfig: PodConfig;
  readonly workQueue: WorkQueue;
  readonly strictClock: StrictClock;
  readonly tasks: TaskGroup;
  readonly measures: Measures;
  /** The dependencies of a sync, except those that the release provides itself. */
  readonly sync: Omit<SyncPodDependencies, 'steps' | 'profile'>;
  /** Reads the runtime classes of new pods. */
  readonly learnRuntimeClasses: (pods: readonly Pod[]) => Promise<void>;
  /** True while the node shuts down. */
  readonly isShuttingDown: () => boolean;
  /** The runtime service, with a span around each call. */
  readonly cri: ContainerRuntime['runtime'];
  /** How many dead instances of each container are kept for their logs and exit codes. */
  readonly maxPerPodContainer: number;
}

export type CreatePodWork = (dependencies: PodWorkDependencies) => PodWork;
