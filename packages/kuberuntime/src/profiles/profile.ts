/** What makes one release of the runtime manager different from another, in one place. */
import type { LinuxContainerResources, LinuxContainerSecurityContext, LinuxPodSandboxConfig, NamespaceOption } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ComputeEnvironment } from '../compute-pod-actions/environment.ts';
import type { KillReason, PodActions } from '../compute-pod-actions/pod-actions.ts';
import type { ResourceFacts } from '../container/linux-resources.ts';
import type { RemoveContainerLog } from '../container/remove-container.ts';
import type { SecurityRequest } from '../container/security-context.ts';
import type { HashContainer } from '../container-hash.ts';
import type { RuntimeGates } from '../gates.ts';
import type { HelperProfile } from '../helper/helper-profile.ts';
import type { EnsureImage } from '../images/ensure-image.ts';
import type { TimeToStop } from '../kill/grace-period.ts';
import type { HookFailure, HookHTTP } from '../lifecycle/hooks.ts';
import type { PodStatus, RuntimePod } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import type { StepsOf } from '../sync/step-lists.ts';

/** Words that differ. */
interface ProfileTexts {
  readonly created: (container: string) => string;
  readonly started: (container: string) => string;
  readonly backOff: (container: string, pod: Pod) => string;
  readonly sandboxConfigFailed: (pod: string) => string;
  readonly sandboxLogDirectoryFailed: (pod: string) => string;
  readonly sandboxFailed: (pod: string) => string;
  readonly unknownContainerToKill: (container: string, id: string, pod: string, why: string) => string;
  /** What the event of a failed hook says. */
  readonly postStartFailed: (message: string) => string;
  readonly preStopFailed: (message: string) => string;
  /** The error of a failed start. */
  readonly postStartError: (cause: string) => string;
}

export interface Profile {
  readonly name: 'v1.36' | 'v1.20';
  readonly gates: RuntimeGates;
  readonly texts: ProfileTexts;
  /** What the kubelet prepares. */
  readonly helper: HelperProfile;

  /** The numbered steps of SyncPod and what happens between them, run in this order. */
  readonly steps: StepsOf;
  readonly computePodActions: (ctx: Context, env: ComputeEnvironment, pod: Pod, podStatus: PodStatus, restartAllContainers: boolean) => PodActions;
  readonly hashContainer: HashContainer;
  /** The key of a container's back-off: another key after an edit that starts it over. */
  readonly backOffKey: (pod: Pod, container: Container) => string;

  /** The Linux part of a sandbox's configuration. */
  readonly linuxSandbox: (parts: RuntimeParts, pod: Pod) => LinuxPodSandboxConfig;
  /** A sandbox that can't be made for a pod being deleted is no failure. */
  readonly ignoresSandboxOfTerminatingPod: boolean;
  readonly namespaces: (pod: Pod) => NamespaceOption;
  readonly securityContext: (request: SecurityRequest) => LinuxContainerSecurityContext;
  readonly linuxResources: (facts: ResourceFacts, pod: Pod, container: Container) => LinuxContainerResources;
  /** CRI of this release carries the image as the spec writes it. */
  readonly userSpecifiedImage: boolean;
  /** How often a container without a status was started before. */
  readonly restartCountFromLogs: boolean;

  readonly removeContainerLog: RemoveContainerLog;

  readonly ensureImage: EnsureImage;

  /** The seconds a container gets before the override. */
  readonly gracePeriod: (pod: Pod, container: Container, reason: KillReason) => number;
  readonly timeToStop: TimeToStop;
  /** A container or sandbox that is not found counts as stopped. */
  readonly notFoundIsStopped: boolean;
  /** Whether sidecars wait for what they serve. */
  readonly ordersTermination: boolean;

  readonly hookFailure: HookFailure;
  readonly hookHTTP: HookHTTP;
  /** Reads the status of a pod of which only the UID is known. */
  readonly getPodStatusByUID: (ctx: Context, parts: RuntimeParts, pod: Pod) => Promise<PodStatus>;
  readonly getPodStatus: (ctx: Context, parts: RuntimeParts, pod: RuntimePod) => Promise<PodStatus>;
}
