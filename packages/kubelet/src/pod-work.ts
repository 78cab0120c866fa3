/** The part of the kubelet that is another in each release: pod workers, and the handlers that talk to them. */
import type { ContainerRuntime } from '@podscope/cri';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { PodStateProvider } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodConfig } from './config/pod-config.ts';
import type { KubeletDependencies } from './dependencies.ts';
import type { SyncHandler } from './loop/sync-handler.ts';
import type { PodCache } from './pod-cache.ts';
import type { PodManager } from './pod-manager.ts';
import type { PodWorkerState } from './pod-workers/types.ts';
import type { PodSyncParts } from './sync-pod/parts.ts';
import type { StrictClock } from './util/strict-clock.ts';
import type { TaskGroup } from './util/task-group.ts';
import type { WorkQueue } from './util/work-queue.ts';

/** Workers and handlers, as the rest of the kubelet uses them. */
export interface PodWork extends PodStateProvider {
  readonly handler: SyncHandler;
  /** Gives the workers the context they run in, and reads back what outlived an earlier run. */
  start(ctx: Context): Promise<void>;
  /** Lets a pod's worker make another pass at once. */
  resync(ctx: Context, pod: Pod): void;
  /** Containers of this pod may run, now or soon. */
  couldHaveRunningContainers(uid: string): boolean;
  /** Ends a pod at once, with a status that says why. @throws Error when it takes too long */
  evict(ctx: Context, pod: Pod, status: ApiPodStatus): Promise<void>;
  /** Nothing of the pod is left on the node. */
  podResourcesAreReclaimed(pod: Pod, status: ApiPodStatus): boolean;
  /** Pods that count for admission and for the weights of QoS classes. */
  activePods(): readonly Pod[];
  /** What the workers are at, where the release's workers know it. */
  workingPods(): readonly PodWorkerState[];
}

/** What a release's work is made of. */
interface PodWorkParts {
  readonly deps: KubeletDependencies;
  readonly podManager: PodManager;
  readonly podCache: PodCache;
  readonly podConfig: PodConfig;
  readonly workQueue: WorkQueue;
  readonly strictClock: StrictClock;
  readonly tasks: TaskGroup;
  /** What passes over a pod work with, but for what they ask of the work itself. */
  readonly sync: Omit<PodSyncParts, 'steps' | 'profile'>;
  /** The runtime as it is, with a span around each call. */
  readonly cri: ContainerRuntime['runtime'];
  /** Dead instances of each container that stay, for their logs and exit codes. */
  readonly maxPerPodContainer: number;
}

export type CreatePodWork = (parts: PodWorkParts) => PodWork;
