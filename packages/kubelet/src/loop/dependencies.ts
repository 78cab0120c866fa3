/** Declares the dependencies of the sync loop's handlers. */
import type { Runtime } from '@podscope/kuberuntime';
import type { AllocationManager } from '../allocation/allocation-manager.ts';
import type { PodContainerManager } from '../cgroups/pod-container-manager.ts';
import type { PodConfig } from '../config/pod-config.ts';
import type { ContainerDeletor } from '../container/container-deletor.ts';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { MirrorPods } from '../pod/mirror-pods.ts';
import type { PodManager } from '../pod/pod-manager.ts';
import type { PodWorkers } from '../pod-workers/pod-workers.ts';
import type { ProbeManager } from '../prober/manager.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import type { TaskGroup } from '../util/task-group.ts';
import type { WorkQueue } from '../util/work-queue.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';
import type { AdmissionDependencies } from './admit-pod.ts';
import type { OrphanedDirectories } from './orphaned-directories.ts';

export interface PodHandlerDependencies extends AdmissionDependencies {
  readonly allocation: AllocationManager;
  readonly podContainers: PodContainerManager;
  readonly tasks: TaskGroup;
  readonly runtime: Runtime;
  readonly podConfig: PodConfig;
  readonly podManager: PodManager;
  readonly podWorkers: PodWorkers;
  readonly resizeConditions: ResizeConditions;
  readonly probeManager: ProbeManager;
  readonly volumeManager: VolumeManager;
  readonly workQueue: WorkQueue;
  readonly directories: PodDirectories;
  readonly orphanedDirectories: OrphanedDirectories;
  readonly mirrorPods: MirrorPods;
  readonly containerDeletor: ContainerDeletor;
  /** Removes the restart back-offs that have expired. */
  readonly collectBackOffs: () => void;
}
