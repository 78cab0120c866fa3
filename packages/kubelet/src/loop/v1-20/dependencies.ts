/** Declares the dependencies of the handlers of v1.20. */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { PodStatus, Runtime } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodContainerManager } from '../../cgroups/pod-container-manager.ts';
import type { PodConfig } from '../../config/pod-config.ts';
import type { ContainerDeletor } from '../../container/container-deletor.ts';
import type { PodCache } from '../../container/pod-cache.ts';
import type { PodDirectories } from '../../container/pod-directories.ts';
import type { RuntimeCache } from '../../container/v1-20/runtime-cache.ts';
import type { SandboxDeletor } from '../../container/v1-20/sandbox-deletor.ts';
import type { MirrorPods } from '../../pod/mirror-pods.ts';
import type { PodManager } from '../../pod/pod-manager.ts';
import type { PodKiller } from '../../pod-workers/v1-20/pod-killer.ts';
import type { PodStatesV120 } from '../../pod-workers/v1-20/pod-states.ts';
import type { PodWorkersV120 } from '../../pod-workers/v1-20/pod-workers.ts';
import type { ProbeManager } from '../../prober/manager.ts';
import type { TaskGroup } from '../../util/task-group.ts';
import type { VolumeManager } from '../../volumes/volume-manager.ts';
import type { AdmissionDependencies } from '../admit-pod.ts';
import type { OrphanedDirectories } from '../orphaned-directories.ts';

export interface PodHandlerDependenciesV120 extends AdmissionDependencies {
  readonly runtime: Runtime;
  readonly runtimeCache: RuntimeCache;
  readonly podConfig: PodConfig;
  readonly podManager: PodManager;
  readonly podCache: PodCache;
  readonly podWorkers: PodWorkersV120;
  readonly podStates: PodStatesV120;
  readonly podKiller: PodKiller;
  readonly podContainers: PodContainerManager;
  readonly probeManager: ProbeManager;
  readonly volumeManager: VolumeManager;
  readonly directories: PodDirectories;
  readonly orphanedDirectories: OrphanedDirectories;
  readonly mirrorPods: MirrorPods;
  readonly containerDeletor: ContainerDeletor;
  readonly sandboxDeletor: SandboxDeletor;
  readonly tasks: TaskGroup;
  readonly generateStatus: (ctx: Context, pod: Pod, podStatus: PodStatus, podIsTerminal: boolean) => ApiPodStatus;
  /** Removes the restart back-offs that have expired. */
  readonly collectBackOffs: () => void;
}
