/** What the sync loop's handlers work with. */
import type { EventRecorder, Runtime } from '@podscope/kuberuntime';
import type { PodConfig } from '../config/pod-config.ts';
import type { ContainerDeletor } from '../container/container-deletor.ts';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { KubeClient, NodeConfiguration } from '../dependencies.ts';
import type { PodManager } from '../pod-manager.ts';
import type { PodWorkers } from '../pod-workers/pod-workers.ts';
import type { ProbeManager } from '../prober/manager.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import type { StatusManager } from '../status/status-manager.ts';
import type { MirrorPods } from '../sync-pod/mirror-pods.ts';
import type { WorkQueue } from '../util/work-queue.ts';

export interface LoopParts {
  readonly client: KubeClient;
  readonly node: NodeConfiguration;
  readonly recorder: EventRecorder;
  readonly runtime: Runtime;
  readonly podConfig: PodConfig;
  readonly podManager: PodManager;
  readonly podWorkers: PodWorkers;
  readonly statusManager: StatusManager;
  readonly resizeConditions: ResizeConditions;
  readonly probeManager: ProbeManager;
  readonly workQueue: WorkQueue;
  readonly directories: PodDirectories;
  readonly mirrorPods: MirrorPods;
  readonly containerDeletor: ContainerDeletor;
  /** Forgets restart back-offs that have expired. */
  readonly collectBackOffs: () => void;
}
