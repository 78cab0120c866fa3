/** Defines how releases of the runtime manager differ. */
import type {
  LinuxContainerResources,
  LinuxContainerSecurityContext,
  LinuxPodSandboxConfig,
  NamespaceOption,
} from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ComputeEnvironment } from '../compute-pod-actions/environment.ts';
import type { KillReason, PodActions } from '../compute-pod-actions/pod-actions.ts';
import type { HashContainer } from '../container/container-hash.ts';
import type { ResourceFacts } from '../container/linux-resources.ts';
import type { RemoveContainerLog } from '../container/remove-container.ts';
import type { SecurityRequest } from '../container/security-context.ts';
import type { HelperProfile } from '../helper/helper-profile.ts';
import type { EnsureImage } from '../images/ensure-image.ts';
import type { TimeToStop } from '../kill/grace-period.ts';
import type { HookFailure, HookHTTP } from '../lifecycle/hooks.ts';
import type { PodStatus, RuntimePod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import type { StepsOf } from '../sync/step-lists.ts';
import type { RuntimeGates } from './gates.ts';

/** Texts that differ between releases. */
interface ProfileTexts {
  readonly created: (container: string) => string;
  readonly started: (container: string) => string;
  readonly backOff: (container: string, pod: Pod) => string;
  readonly sandboxConfigFailed: (pod: string) => string;
  readonly sandboxLogDirectoryFailed: (pod: string) => string;
  readonly sandboxFailed: (pod: string) => string;
  readonly unknownContainerToKill: (container: string, id: string, pod: string, why: string) => string;
  /** Returns the event message of a failed postStart hook. */
  readonly postStartFailed: (message: string) => string;
  readonly preStopFailed: (message: string) => string;
  /** Returns the error text of a failed start. */
  readonly postStartError: (cause: string) => string;
}

export interface Profile {
  readonly name: 'v1.36' | 'v1.20';
  readonly gates: RuntimeGates;
  readonly texts: ProfileTexts;
  /** Differences in the kubelet's preparations. */
  readonly helper: HelperProfile;

  /** Returns the steps of SyncPod, with the work between them, in order. */
  readonly steps: StepsOf;
  readonly computePodActions: (
    ctx: Context,
    env: ComputeEnvironment,
    pod: Pod,
    podStatus: PodStatus,
    restartAllContainers: boolean,
  ) => PodActions;
  readonly hashContainer: HashContainer;
  /** Returns the key of a container's back-off. An edit that changes the key resets the back-off. */
  readonly backOffKey: (pod: Pod, container: Container) => string;

  /** Returns the Linux part of a sandbox's configuration. */
  readonly linuxSandbox: (dependencies: RuntimeDependencies, pod: Pod) => LinuxPodSandboxConfig;
  /** True if a failed sandbox of a terminating pod is ignored. */
  readonly ignoresSandboxOfTerminatingPod: boolean;
  readonly namespaces: (pod: Pod) => NamespaceOption;
  readonly securityContext: (request: SecurityRequest) => LinuxContainerSecurityContext;
  readonly linuxResources: (facts: ResourceFacts, pod: Pod, container: Container) => LinuxContainerResources;
  /** True if CRI messages include the image as written in the spec. */
  readonly userSpecifiedImage: boolean;
  /** True if a container without a status gets its restart count from its logs. */
  readonly restartCountFromLogs: boolean;

  readonly removeContainerLog: RemoveContainerLog;

  readonly ensureImage: EnsureImage;

  /** Returns the grace period of a container in seconds, before any override. */
  readonly gracePeriod: (pod: Pod, container: Container, reason: KillReason) => number;
  readonly timeToStop: TimeToStop;
  /** True if a missing container or sandbox counts as stopped. */
  readonly notFoundIsStopped: boolean;
  /** True if sidecars wait for the containers that they serve. */
  readonly ordersTermination: boolean;

  readonly hookFailure: HookFailure;
  readonly hookHTTP: HookHTTP;
  /** Reads the status of a pod by its UID. */
  readonly getPodStatusByUID: (ctx: Context, dependencies: RuntimeDependencies, pod: Pod) => Promise<PodStatus>;
  readonly getPodStatus: (ctx: Context, dependencies: RuntimeDependencies, pod: RuntimePod) => Promise<PodStatus>;
}
