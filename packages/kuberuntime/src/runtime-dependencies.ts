/**
 * Declares the dependencies of all functions of the runtime manager, and the profile that contains the differences
 * between its releases. Both are in one file, because the functions of a profile take the dependencies as a parameter.
 * Upstream: fields of kubeGenericRuntimeManager.
 */
import type {
  ContainerLogProvider,
  ImageService,
  LinuxContainerResources,
  LinuxContainerSecurityContext,
  LinuxPodSandboxConfig,
  NamespaceOption,
  PodSandboxConfig,
  RuntimeService,
} from '@podscope/cri';
import type { Container, HTTPGetAction, Pod, Secret } from '@podscope/k8s';
import type { Attributes, Context, Point } from '@podscope/trace';
import type { ComputeEnvironment } from './compute-pod-actions/environment.ts';
import type { KillReason, PodActions } from './compute-pod-actions/pod-actions.ts';
import type { HashContainer } from './container/container-hash.ts';
import type { ResourceFacts } from './container/linux-resources.ts';
import type { SecurityRequest } from './container/security-context.ts';
import type { Backoff } from './flowcontrol/backoff.ts';
import type { HelperProfile } from './helper/helper-profile.ts';
import type { EnsureImage } from './images/ensure-image.ts';
import type { ImageManager } from './images/image-manager.ts';
import type { TimeToStop } from './kill/grace-period.ts';
import type { InternalContainerLifecycle } from './lifecycle/internal-lifecycle.ts';
import type { RuntimeGates } from './profiles/gates.ts';
import type { ActuatedResources } from './resize/actuated-resources.ts';
import type { PodCgroups } from './resize/pod-cgroups.ts';
import type {
  EventRecorder,
  OSInterface,
  PodStateProvider,
  PodStatus,
  ProbeResults,
  RuntimeHelper,
  RuntimePod,
} from './runtime.ts';
import type { RuntimeNode } from './runtime-node.ts';
import type { ImageVolume } from './sync/image-volume.ts';
import type { PodSyncResult } from './sync/sync-result.ts';

export interface RuntimeDependencies {
  readonly profile: Profile;
  readonly gates: RuntimeGates;
  /** The name of the runtime in container ids, for example `docker`. */
  readonly runtimeName: string;
  readonly runtime: RuntimeService;
  readonly images: ImageService;
  readonly logs: ContainerLogProvider;
  readonly imageManager: ImageManager;
  readonly helper: RuntimeHelper;
  readonly os: OSInterface;
  readonly recorder: EventRecorder;
  readonly liveness: ProbeResults;
  readonly startup: ProbeResults;
  readonly http: HookHttpClient;
  readonly node: RuntimeNode;
  readonly podState: PodStateProvider;
  readonly actuated: ActuatedResources;
  /** Reads and writes pod cgroups. Undefined if this node can't resize them. */
  readonly cgroups: PodCgroups | undefined;
  /** Requests from the PLEG that it inspects the pod again. */
  readonly requestReinspect: (uid: string) => void;
  /** Returns the runtime handler of a runtime class, or undefined if the class doesn't exist. */
  readonly lookupRuntimeHandler: (runtimeClassName: string) => Promise<string | undefined>;
  readonly internalLifecycle: InternalContainerLifecycle;
  readonly podLogsDir: string;
  /** The directory of links to container logs. Undefined: no links are created. */
  readonly legacyLogDir: string | undefined;
  /** Returns a number in [0, 1), for the names of files. */
  readonly random: () => number;
}

/** Sends the requests of httpGet hooks. A call rejects on transport errors; an HTTP error status is a result. */
export interface HookHttpClient {
  get(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  }): Promise<unknown>;
}

export type HookKind = 'exec' | 'httpGet' | 'sleep';

/**
 * Returns the message of a failed hook.
 * @param what the command, the path or the number of seconds
 */
export type HookFailure = (
  kind: HookKind,
  what: string,
  container: string,
  pod: string,
  error: string,
  output: string,
) => string;

/** Sends the request of an httpGet hook. */
export type HookHTTP = (
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  container: Container,
  action: HTTPGetAction,
) => Promise<void>;

/** Removes the log files of a container. */
export type RemoveContainerLog = (
  ctx: Context,
  dependencies: RuntimeDependencies,
  containerId: string,
) => Promise<void>;

/** The state of one sync. */
export interface PodSync {
  readonly dependencies: RuntimeDependencies;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  readonly backOff: Backoff;
  readonly restartAllContainers: boolean;
  readonly result: PodSyncResult;
  /** The actions that the first step computed. */
  actions: PodActions;
  podIPs: readonly string[];
  sandboxID: string;
  /** True if a step ended the sync without an error. */
  isOver: boolean;
  /** The configuration of the sandbox, for creating containers. It is set before the first container starts. */
  sandboxConfig: PodSandboxConfig | undefined;
  imageVolumes: ReadonlyMap<string, ImageVolume>;
}

type StepWork = (ctx: Context, sync: PodSync) => Promise<void> | void;

/** The work of a step and its condition. */
export interface StepAction {
  /** Returns false if the step isn't needed in this sync. */
  readonly applies: (sync: PodSync) => boolean;
  readonly attributes?: (sync: PodSync) => Attributes;
  /**
   * Runs the step.
   * @throws SyncStopped to end the sync
   */
  readonly run: StepWork;
  /** The work between this step and the next one. It runs even if this step isn't needed. */
  readonly after?: readonly StepWork[];
}

/** A step of SyncPod with its number. */
interface SyncStep extends StepAction {
  readonly point: Point;
}

/** Returns the steps that run with these gates, in order. */
export type StepsOf = (gates: RuntimeGates) => readonly SyncStep[];

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
  /** Returns the error text of a start that failed because of its postStart hook. */
  readonly postStartError: (cause: string) => string;
  /** Returns the error of garbage collection when the directory of logs can't be read. */
  readonly podLogsUnreadable: (directory: string, cause: string) => string;
}

export interface Profile {
  readonly name: 'v1.36' | 'v1.20';
  readonly gates: RuntimeGates;
  readonly texts: ProfileTexts;
  /** The release's rules for the values that the kubelet prepares. */
  readonly helper: HelperProfile;

  /** Returns the steps of SyncPod in order, and the work between them. */
  readonly steps: StepsOf;
  readonly computePodActions: (
    ctx: Context,
    env: ComputeEnvironment,
    pod: Pod,
    podStatus: PodStatus,
    restartAllContainers: boolean,
  ) => PodActions;
  readonly hashContainer: HashContainer;
  /**
   * Returns the key of a container's back-off. If an edit of the container changes the key, the back-off starts again.
   */
  readonly backOffKey: (pod: Pod, container: Container) => string;

  /** Returns the Linux part of a sandbox's configuration. */
  readonly linuxSandbox: (dependencies: RuntimeDependencies, pod: Pod) => LinuxPodSandboxConfig;
  /** Whether the failure of a sandbox is reported by a failed result and an event even while the pod is terminating. */
  readonly reportsSandboxOfTerminatingPod: boolean;
  readonly namespaces: (pod: Pod) => NamespaceOption;
  readonly securityContext: (request: SecurityRequest) => LinuxContainerSecurityContext;
  readonly linuxResources: (facts: ResourceFacts, pod: Pod, container: Container) => LinuxContainerResources;
  /** Whether CRI messages contain the image as written in the spec. */
  readonly userSpecifiedImage: boolean;
  /** Whether the restart count of a container without a status comes from its log files. */
  readonly restartCountFromLogs: boolean;
  /** Whether internalLifecycle.PreCreateContainer runs before CreateContainer. */
  readonly callsPreCreateContainer: boolean;

  readonly removeContainerLog: RemoveContainerLog;

  readonly ensureImage: EnsureImage;

  /** Returns the grace period of a container in seconds, without an override. */
  readonly gracePeriod: (pod: Pod, container: Container, reason: KillReason) => number;
  readonly timeToStop: TimeToStop;
  /** Whether a container or sandbox that the runtime doesn't find counts as stopped. */
  readonly notFoundIsStopped: boolean;
  /** Whether sidecars terminate after the containers that they serve. */
  readonly ordersTermination: boolean;

  /** The request for a list of all sandboxes. That for all containers has an empty filter in each release. */
  readonly listAllSandboxes: { readonly filter?: Readonly<Record<string, never>> };

  readonly hookFailure: HookFailure;
  readonly hookHTTP: HookHTTP;
  /** Reads the status of a pod by its UID. */
  readonly getPodStatusByUID: (ctx: Context, dependencies: RuntimeDependencies, pod: Pod) => Promise<PodStatus>;
  readonly getPodStatus: (ctx: Context, dependencies: RuntimeDependencies, pod: RuntimePod) => Promise<PodStatus>;
}
