/** What the handlers of v1.20 work with. */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { PodStatus, Runtime } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodContainerManager } from '../../cgroups/pod-container-manager.ts';
import type { PodConfig } from '../../config/pod-config.ts';
import type { ContainerDeletor } from '../../container/container-deletor.ts';
import type { PodDirectories } from '../../container/pod-directories.ts';
import type { RuntimeCache } from '../../container/runtime-cache.ts';
import type { SandboxDeletor } from '../../container/sandbox-deletor.ts';
import type { PodCache } from '../../pod-cache.ts';
import type { PodManager } from '../../pod-manager.ts';
import type { PodKiller } from '../../pod-workers/v1-20/pod-killer.ts';
import type { PodLivesV120 } from '../../pod-workers/v1-20/pod-lives.ts';
import type { PodWorkersV120 } from '../../pod-workers/v1-20/pod-workers.ts';
import type { ProbeManager } from '../../prober/manager.ts';
import type { MirrorPods } from '../../sync-pod/mirror-pods.ts';
import type { TaskGroup } from '../../util/task-group.ts';
import type { VolumeManager } from '../../volumes/volume-manager.ts';
import type { AdmissionParts } from '../admit-pod.ts';

export interface LoopPartsV120 extends AdmissionParts {
  readonly runtime: Runtime;
  readonly runtimeCache: RuntimeCache;
  readonly podConfig: PodConfig;
  readonly podManager: PodManager;
  readonly podCache: PodCache;
  readonly podWorkers: PodWorkersV120;
  readonly podLives: PodLivesV120;
  readonly podKiller: PodKiller;
  readonly podContainers: PodContainerManager;
  readonly probeManager: ProbeManager;
  readonly volumeManager: VolumeManager;
  readonly directories: PodDirectories;
  readonly mirrorPods: MirrorPods;
  readonly containerDeletor: ContainerDeletor;
  readonly sandboxDeletor: SandboxDeletor;
  readonly tasks: TaskGroup;
  readonly generateStatus: (ctx: Context, pod: Pod, podStatus: PodStatus, podIsTerminal: boolean) => ApiPodStatus;
  /** Forgets restart back-offs that have expired. */
  readonly collectBackOffs: () => void;
}
