/** Declares the dependencies of a pod worker's syncs. */
import type { CommonKubeletSteps } from '@podscope/flow';
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { Backoff, ContainerResources, PodStatus, Runtime } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodContainerManager } from '../cgroups/pod-container-manager.ts';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { KubeletDependencies } from '../dependencies.ts';
import type { FeatureGates } from '../features.ts';
import type { MirrorPods } from '../pod/mirror-pods.ts';
import type { ProbeManager } from '../prober/manager.ts';
import type { RuntimeState } from '../runtime/runtime-state.ts';
import type { StatusManager } from '../status/manager/status-manager.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';
import type { ReasonCache } from './reason-cache.ts';

/** The differences between releases in the steps that both have. */
interface SyncPodProfile {
  /**
   * Whether the event FailedMount `Unable to attach or mount volumes: …` is also emitted when the wait for volumes
   * times out.
   *
   * In v1.20, every error emits the event. In v1.36, a timeout doesn't: Kubelet.SyncPod skips the event for errors for
   * which wait.Interrupted is true, and WaitForAttachAndMount wraps (`%w`) the poll's `context deadline exceeded`.
   * After 2 min 3 s, the sync then fails without an event. Other errors still emit it. In both releases, mount attempts
   * emit the same events (`MountVolume.SetUp failed …`).
   */
  readonly reportsVolumeTimeouts: boolean;
  /** Whether a cancelled kill in the step of the pod's cgroup ends the sync without an error. */
  readonly endsCancelledSyncs: boolean;
  /** Whether missing pull secrets emit an event. */
  readonly reportsMissingPullSecrets: boolean;
  /** Returns the log message for a pull secret that can't be read. */
  readonly pullSecretWarning: (pod: Pod, secret: string, error: string) => string;
}

export interface SyncPodDependencies extends Pick<KubeletDependencies, 'client' | 'recorder'> {
  readonly profile: SyncPodProfile;
  /** The points of the release's steps. */
  readonly steps: CommonKubeletSteps;
  readonly podContainers: PodContainerManager;
  /** Returns the pods from which the weights of QoS classes are computed. */
  readonly activePods: () => readonly Pod[];

  readonly gates: FeatureGates;
  readonly runtime: Runtime;
  readonly backOff: () => Backoff;
  readonly statusManager: StatusManager;
  readonly resizeConditions: ResizeConditions;
  readonly reasonCache: ReasonCache;
  readonly runtimeState: RuntimeState;
  readonly probeManager: ProbeManager;
  readonly volumeManager: VolumeManager;
  readonly directories: PodDirectories;
  readonly mirrorPods: MirrorPods;
  /**
   * Generates the API's status from the runtime's.
   * @param podCgroup the values of the pod's cgroup, if they were read
   */
  readonly generateStatus: (
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    podIsTerminal: boolean,
    podCgroup?: ContainerResources,
  ) => ApiPodStatus;
  readonly isPodTerminationRequested: (uid: string) => boolean;
  readonly requestPodRelist: (ctx: Context, uid: string) => void;
  /** Makes the pod's worker sync the pod now. */
  readonly resync: (ctx: Context, pod: Pod) => void;
  /** Returns the signal of the run. Used for work that a newer update must not interrupt. */
  readonly runSignal: () => AbortSignal;
}

/** Returns the context with the signal of the run instead of the sync's own signal. */
export const withRunSignal = (ctx: Context, dependencies: SyncPodDependencies): Context => ({
  ...ctx,
  signal: dependencies.runSignal(),
});
