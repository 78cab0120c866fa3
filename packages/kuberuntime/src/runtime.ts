/**
 * Defines the interface between the kubelet and the runtime manager, and the observed state of pods. Upstream:
 * pkg/kubelet/container (runtime.go, v1.36).
 */

import type { PodSandboxStatus, RuntimeFeatures, RuntimeHandler } from '@podscope/cri';
import type {
  ContainerStatus as ApiContainerStatus,
  Container,
  EphemeralContainer,
  Pod,
  ResourceRequirements,
  Secret,
} from '@podscope/k8s';
import type { Context, Instant } from '@podscope/trace';
import type { Backoff } from './flowcontrol/backoff.ts';
import type { PodSyncResult } from './sync/sync-result.ts';

/** The type of the runtime and the id of a container in that runtime. Formatted as `docker://<id>`. */
export interface ContainerID {
  readonly type: string;
  readonly id: string;
}

/** Formats an id as `docker://<id>`. Upstream: ContainerID.String(). */
export const formatContainerID = (id: ContainerID): string => `${id.type}://${id.id}`;

/**
 * Parses an id like `docker://<id>`.
 * @throws Error when `://` is missing
 */
export function parseContainerID(text: string): ContainerID {
  const at = text.indexOf('://');
  if (at < 0) throw new Error(`invalid container ID: ${JSON.stringify(text)}`);
  return { type: text.slice(0, at), id: text.slice(at + 3) };
}

/**
 * The state of a container as the runtime reports it. A sandbox that is represented as a container has such a state,
 * too.
 */
export type State = 'created' | 'running' | 'exited' | 'unknown';

/** CPU in milli-CPUs and memory in bytes; absent members are unset. */
export interface ContainerResources {
  readonly cpuRequest?: number;
  readonly cpuLimit?: number;
  readonly memoryRequest?: number;
  readonly memoryLimit?: number;
}

/** One container as the runtime reports it. Upstream: kubecontainer.Status. */
export interface Status {
  readonly id: ContainerID;
  readonly name: string;
  readonly state: State;
  readonly createdAt: Instant;
  /** The start time; absent in state `created`. */
  readonly startedAt?: Instant;
  /** The exit time; set only in state `exited`. */
  readonly finishedAt?: Instant;
  /** The exit code; 0 unless the state is `exited`. */
  readonly exitCode: number;
  readonly image: string;
  readonly imageID: string;
  /** The image as the runtime names it: its id, or its name with a digest. A pod's status shows it as `imageID`. */
  readonly imageRef: string;
  /** The hash of the definition with which the container was created; 0 if unknown. */
  readonly hash: number;
  readonly restartCount: number;
  readonly reason: string;
  readonly message: string;
  readonly resources?: ContainerResources;
  /** The user of the container's first process; absent if the runtime doesn't report it. */
  readonly user?: ApiContainerStatus['user'];
  /** The signal that stops the container; absent if the runtime doesn't report it. */
  readonly stopSignal?: string;
}

/** A pod as the runtime reports it. Upstream: kubecontainer.PodStatus. */
export interface PodStatus {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** The addresses of the newest sandbox if it is READY. */
  readonly ips: readonly string[];
  /** Containers in all states and attempts, newest first. */
  readonly containerStatuses: readonly Status[];
  /** The containers in the newest READY sandbox. */
  readonly activeContainerStatuses: readonly Status[];
  /** The sandboxes, newest first. */
  readonly sandboxStatuses: readonly PodSandboxStatus[];
  /** The time of the list on which this status is based. */
  readonly timestamp: Instant;
}

/** A container in the runtime's list. Upstream: kubecontainer.Container. */
export interface RuntimeContainer {
  readonly id: ContainerID;
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly hash: number;
  readonly state: State;
  readonly createdAt: Instant;
  readonly podSandboxID: string;
}

/** A pod in the runtime's list. Its sandboxes are also represented as containers. Upstream: kubecontainer.Pod. */
export interface RuntimePod {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly createdAt: Instant;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeContainer[];
}

/** Returns the newest status of the container with this name. Upstream: PodStatus.FindContainerStatusByName. */
export const findContainerStatusByName = (status: PodStatus, name: string): Status | undefined =>
  status.containerStatuses.find((container) => container.name === name);

/** Returns the running containers and all sandboxes of a status. Upstream: ConvertPodStatusToRunningPod. */
export function convertPodStatusToRunningPod(runtimeName: string, status: PodStatus): RuntimePod {
  return {
    id: status.id,
    name: status.name,
    namespace: status.namespace,
    createdAt: status.timestamp,
    containers: status.containerStatuses
      .filter(({ state }) => state === 'running')
      .map(({ id, name, image, imageID, hash, state, createdAt }) => ({
        id,
        name,
        image,
        imageID,
        hash,
        state,
        createdAt,
        podSandboxID: '',
      })),
    sandboxes: status.sandboxStatuses.map(({ id, state, createdAt }) => ({
      id: { type: runtimeName, id },
      name: 'POD',
      image: '',
      imageID: '',
      hash: 0,
      state: state === 'SANDBOX_READY' ? 'running' : 'exited',
      createdAt: Number(createdAt / 1_000_000n) as Instant,
      podSandboxID: id,
    })),
  };
}

/** Formats a pod as `name_namespace(uid)`. Upstream: format.Pod. */
export const formatPod = (pod: Pod): string =>
  `${pod.metadata.name}_${pod.metadata.namespace ?? ''}(${pod.metadata.uid})`;

/** Returns `name_namespace`, which is unique on a node. Upstream: GetPodFullName. */
export const getPodFullName = (pod: Pod): string => `${pod.metadata.name}_${pod.metadata.namespace ?? ''}`;

/** The options that the kubelet has prepared for one container. Upstream: kubecontainer.RunContainerOptions. */
export interface RunContainerOptions {
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  readonly mounts: readonly ContainerMount[];
  readonly devices: readonly {
    readonly pathOnHost: string;
    readonly pathInContainer: string;
    readonly permissions: string;
  }[];
  /** The names of the container's CDI devices. */
  readonly cdiDevices: readonly string[];
  readonly annotations: readonly { readonly name: string; readonly value: string }[];
  /** The directory of the termination message file; empty if the container has no such file. */
  readonly podContainerDir: string;
  readonly hostname: string;
}

/** A mount that the kubelet requests. Upstream: kubecontainer.Mount. */
export interface ContainerMount {
  readonly name: string;
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly recursiveReadOnly?: boolean;
  readonly selinuxRelabel?: boolean;
  readonly propagation: 'PROPAGATION_PRIVATE' | 'PROPAGATION_HOST_TO_CONTAINER' | 'PROPAGATION_BIDIRECTIONAL';
  /** The image to mount; present only for an image volume. */
  readonly image?: { readonly image: string; readonly userSpecifiedImage?: string };
  readonly imageSubPath?: string;
}

/** The DNS settings of a sandbox. CRI receives them as DNSConfig. */
export interface PodDNS {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** The functions that the kubelet provides to the runtime manager. Upstream: kubecontainer.RuntimeHelper. */
export interface RuntimeHelper {
  /**
   * Returns the options for one container, and a cleanup that the caller runs when the start has finished. Rejects if
   * the container can't be configured.
   */
  generateRunContainerOptions(
    ctx: Context,
    pod: Pod,
    container: Container,
    podIP: string,
    podIPs: readonly string[],
    imageVolumes: Readonly<Record<string, { readonly image: string; readonly userSpecifiedImage?: string }>>,
  ): Promise<{ readonly options: RunContainerOptions; readonly cleanup?: () => Promise<void> }>;
  getPodDNS(ctx: Context, pod: Pod): Promise<PodDNS>;
  /** Returns the literal cgroup path, or an empty string if the node has no pod cgroups. */
  getPodCgroupParent(pod: Pod): string;
  getPodDir(uid: string): string;
  /**
   * Returns the host name and domain of a pod.
   * @throws Error for an invalid name
   */
  generatePodHostNameAndDomain(pod: Pod): { readonly hostname: string; readonly domain: string };
  getExtraSupplementalGroupsForPod(pod: Pod): readonly number[];
  /** Returns true once the pod's termination was requested. From then on, v1.36 ignores the failure of a sandbox. */
  isPodTerminationRequested(uid: string): boolean;
  /** The runtime manager calls it when a sandbox is ready, before images are pulled (v1.36). */
  onPodSandboxReady(ctx: Context, pod: Pod): Promise<void>;
}

/** The last result of a liveness or startup probe. Upstream: proberesults.Manager. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

export interface ProbeResults {
  /** Returns the last result; undefined if no result exists yet. */
  get(id: ContainerID): ProbeResult | undefined;
}

/** Records Kubernetes events. */
export interface EventRecorder {
  /**
   * Records an event about a pod.
   * @param container the container whose field path the event's reference contains
   */
  event(
    ctx: Context,
    pod: Pod,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    container?: Container | EphemeralContainer,
  ): void;
  /** Records an event about the node. */
  nodeEvent(ctx: Context, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/**
 * The file operations of the runtime manager and the kubelet. All paths are absolute. Upstream:
 * kubecontainer.OSInterface.
 */
export interface OSInterface {
  /** Creates a directory and its missing parents. `mode` applies only to new directories. */
  mkdirAll(path: string, mode: number): Promise<void>;
  /** Writes a whole file and replaces its content. `mode` is set even if the file exists. */
  writeFile(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Returns the content of a file, or undefined if it doesn't exist. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** Returns at most the last `maxBytes` of a file; undefined if it doesn't exist. */
  readTail(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Returns the sorted names in a directory, or an empty list if it doesn't exist. */
  readDir(path: string): Promise<readonly string[]>;
  /** Returns true if the path exists. Links are followed, so a dangling link doesn't exist. */
  exists(path: string): Promise<boolean>;
  /**
   * Returns the type of a path; undefined if it doesn't exist. Links are followed. Absent if this system doesn't
   * distinguish types.
   */
  fileType?(path: string): Promise<'file' | 'directory' | 'socket' | 'characterDevice' | 'blockDevice' | undefined>;
  /** Creates the link `link` to `target`. Rejects if `link` exists. */
  symlink(target: string, link: string): Promise<void>;
  /** Returns the target of a link; undefined if the path isn't a link. Absent: no path is a link. */
  readLink?(path: string): Promise<string | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, link or empty directory. Does nothing if the path doesn't exist. */
  remove(path: string): Promise<void>;
  /** Removes an empty directory. Rejects if the path isn't an empty directory. */
  removeDirectory(path: string): Promise<void>;
  /**
   * Removes a directory and the directories below it. Does nothing if the path doesn't exist. Rejects if a path below
   * isn't a directory; empty directories may be gone then. Upstream: removeall.RemoveDirsOneFilesystem.
   */
  removeDirectories(path: string): Promise<void>;
  /** Removes a path and everything below it. Does nothing if the path doesn't exist. */
  removeAll(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /**
   * Creates the missing directories of a path in a volume, with the permissions of the volume. Absent: {@link mkdirAll}
   * is used.
   * @throws Error when the path leads out of the volume
   */
  makeSubpath?(volume: string, path: string): Promise<void>;
  /**
   * Returns the mount source for a path in a volume. It is `target`, to which the path is bound so that no container
   * can replace it, or the resolved path. Absent: containers can't create links on this system.
   * @throws Error when the path leads out of the volume
   */
  prepareSubpath?(volume: string, path: string, target: string): Promise<string>;
  /**
   * Returns the capacity and free space of the file system that contains a path; undefined if unknown. Absent: always
   * unknown.
   */
  diskSpace?(path: string): Promise<{ readonly capacityBytes: number; readonly availableBytes: number } | undefined>;
  /** Returns the disk usage of a directory tree in bytes. Absent: the usage is unknown. */
  diskUsage?(path: string): Promise<number>;
  /** Returns the size of a file in bytes; undefined if it doesn't exist. Absent: logs aren't rotated. */
  fileSize?(path: string): Promise<number | undefined>;
  /** Replaces a file by a compressed one, whose name ends in `.gz`. Absent: files aren't compressed. */
  compress?(path: string): Promise<void>;
  /** Changes the owner of a file and keeps its group. Absent: files keep their owner. */
  chown?(path: string, user: number): Promise<void>;
  /** Mounts a tmpfs of at most `sizeBytes` at a directory. Absent: memory-backed volumes are stored on disk. */
  mountTmpfs?(path: string, sizeBytes: number | undefined): Promise<void>;
  /** Returns true if the path is a mount point. Absent: no path is a mount point. */
  isMountPoint?(path: string): Promise<boolean>;
  /** Returns the mount points at and below the path. Absent: no path is a mount point. */
  mountPointsBelow?(path: string): Promise<readonly string[]>;
  /** Unmounts everything at and below the path. */
  unmountAll?(path: string): Promise<void>;
  /**
   * Changes the group of a volume and its content. Makes them readable for the group, and writable unless `readOnly`.
   * Upstream: SetVolumeOwnership.
   */
  setVolumeOwnership?(path: string, group: number, readOnly: boolean): Promise<void>;
}

/**
 * The policy of garbage collection. Upstream: kubecontainer.GCPolicy. Upstream's values (v1.36) are constants: `minAge`
 * 0 s, `maxPerPodContainer` 1, `maxContainers` -1.
 */
export interface GCPolicy {
  readonly minAge: number;
  readonly maxPerPodContainer: number;
  readonly maxContainers: number;
}

/** The states of pods that garbage collection depends on. Upstream: podStateProvider. */
export interface PodStateProvider {
  isPodTerminationRequested(uid: string): boolean;
  shouldPodContentBeRemoved(uid: string): boolean;
  shouldPodRuntimeBeRemoved(uid: string): boolean;
}

/** The resources that were last applied to a container. */
export interface ActuatedContainer {
  readonly pod: Pod;
  /** The container's name. */
  readonly container: string;
  readonly resources: ResourceRequirements;
}

/** The runtime manager as the kubelet calls it. Upstream: kubecontainer.Runtime. */
export interface Runtime {
  /** The name of the runtime in container ids, for example `docker`. */
  readonly type: string;
  /**
   * Loads the resources that an earlier kubelet applied, from its state file or from `actuated`. Must be called once,
   * before any other method.
   */
  start(actuated?: readonly ActuatedContainer[]): Promise<void>;
  /**
   * Returns the pods that the runtime knows.
   * @param all whether to include pods that aren't running
   */
  getPods(ctx: Context, all: boolean): Promise<readonly RuntimePod[]>;
  /** Returns one pod with all its containers and sandboxes; undefined if the runtime doesn't know it. */
  getPod(ctx: Context, uid: string): Promise<RuntimePod | undefined>;
  /** Reads the status of one pod of a list that {@link getPods} returned. */
  getPodStatus(ctx: Context, pod: RuntimePod): Promise<PodStatus>;
  /** Makes the pod match its spec. Doesn't reject when an action fails: the errors are in the result. */
  syncPod(
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    pullSecrets: readonly Secret[],
    backOff: Backoff,
    restartAllContainers: boolean,
  ): Promise<PodSyncResult>;
  /**
   * Returns true if a running container's resources differ from the allocated ones.
   * @param pod the pod with its allocated resources
   */
  isPodResizeInProgress(pod: Pod, podStatus: PodStatus): boolean;
  /**
   * Records that the pod's own resources are applied, because its cgroup has just been created with them. Later resizes
   * are compared with them.
   */
  updateActuatedPodLevelResources(pod: Pod): void;
  /**
   * Stops every running container and every sandbox of a pod. Rejects with a summary if any of them can't be stopped.
   */
  killPod(ctx: Context, pod: Pod | undefined, runningPod: RuntimePod, gracePeriodOverride?: number): Promise<void>;
  /** Removes a dead container and its logs. */
  deleteContainer(ctx: Context, id: ContainerID): Promise<void>;
  garbageCollect(ctx: Context, policy: GCPolicy, allSourcesReady: boolean, evictNonDeletedPods: boolean): Promise<void>;
  /** Returns the conditions RuntimeReady and NetworkReady, and the features and handlers of the runtime. */
  status(ctx: Context): Promise<{
    readonly conditions: readonly {
      readonly type: string;
      readonly status: boolean;
      readonly reason: string;
      readonly message: string;
    }[];
    readonly features?: RuntimeFeatures | undefined;
    readonly handlers?: readonly RuntimeHandler[] | undefined;
  }>;
}
