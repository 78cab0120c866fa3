/** What the passes of a pod worker work with. */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { Backoff, PodStatus, Runtime } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { PodContainerManager } from '../cgroups/pod-container-manager.ts';
import type { PodDirectories } from '../container/pod-directories.ts';
import type { KubeletDependencies } from '../dependencies.ts';
import type { FeatureGates } from '../features.ts';
import type { CommonKubeletSteps } from '../points.ts';
import type { ProbeManager } from '../prober/manager.ts';
import type { ReasonCache } from '../reason-cache.ts';
import type { RuntimeState } from '../runtime-state.ts';
import type { ResizeConditions } from '../status/resize-conditions.ts';
import type { StatusManager } from '../status/status-manager.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';
import type { MirrorPods } from './mirror-pods.ts';

/** What differs between releases in the steps they share. */
interface SyncPodProfile {
  /** An event tells that volumes were not set up in time. */
  readonly tellsVolumeTimeouts: boolean;
  /** An event tells of pull secrets that could not be had. */
  readonly tellsMissingPullSecrets: boolean;
}

export interface PodSyncParts {
  readonly profile: SyncPodProfile;
  /** The points of the release's list. */
  readonly steps: CommonKubeletSteps;
  readonly podContainers: PodContainerManager;
  /** The pods that count for the weights of QoS classes. */
  readonly activePods: () => readonly Pod[];
  readonly deps: Pick<KubeletDependencies, 'client' | 'node' | 'recorder'>;
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
  readonly generateStatus: (ctx: Context, pod: Pod, podStatus: PodStatus, podIsTerminal: boolean) => ApiPodStatus;
  readonly isPodTerminationRequested: (uid: string) => boolean;
  readonly requestPodRelist: (ctx: Context, uid: string) => void;
  /** Lets the pod's worker run again at once. */
  readonly resync: (ctx: Context, pod: Pod) => void;
  /** The end of the run: the only thing that ends work which a newer update must not end. */
  readonly runSignal: () => AbortSignal;
}

/** Leaves the pass's own cancellation behind, keeps the end of the run. */
export const untilTheEnd = (parts: PodSyncParts, ctx: Context): Context => ({ ...ctx, signal: parts.runSignal() });
