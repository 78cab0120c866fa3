/**
 * What the kubelet and the runtime manager say to each other: the observed state of pods, and the interface of the runtime manager.
 * Upstream: pkg/kubelet/container (runtime.go, v1.36).
 */

import type { PodSandboxStatus } from '@podscope/cri';
import type { Container, EphemeralContainer, Pod, ResourceRequirements, Secret } from '@podscope/k8s';
import type { Context, Instant } from '@podscope/trace';
import type { Backoff } from './flowcontrol/backoff.ts';
import type { PodSyncResult } from './sync-result.ts';

/** Which runtime, and the id there. Prints as `docker://<id>`. */
export interface ContainerID {
  readonly type: string;
  readonly id: string;
}

/** `docker://<id>`. Upstream: ContainerID.String(). */
export const formatContainerID = (id: ContainerID): string => `${id.type}://${id.id}`;

/**
 * Reads `docker://<id>`.
 * @throws Error when there is no `://`.
 */
export function parseContainerID(text: string): ContainerID {
  const at = text.indexOf('://');
  if (at < 0) throw new Error(`invalid container ID: ${JSON.stringify(text)}`);
  return { type: text.slice(0, at), id: text.slice(at + 3) };
}

/** The runtime's word for what a container (or, read as one, a sandbox) does. */
export type State = 'created' | 'running' | 'exited' | 'unknown';

/** cpu in milli-CPUs, memory in bytes; a missing member is unset. */
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
  /** Set unless the state is `created`. */
  readonly startedAt?: Instant;
  /** Set when exited. */
  readonly finishedAt?: Instant;
  /** 0 unless exited. */
  readonly exitCode: number;
  readonly image: string;
  readonly imageID: string;
  /** The hash the container was created with; 0 when unknown. */
  readonly hash: number;
  readonly restartCount: number;
  readonly reason: string;
  readonly message: string;
  readonly resources?: ContainerResources;
}

/** A pod as the runtime reports it. Upstream: kubecontainer.PodStatus. */
export interface PodStatus {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** Of the newest sandbox, when that is READY. */
  readonly ips: readonly string[];
  /** All states and attempts, newest first. */
  readonly containerStatuses: readonly Status[];
  /** Those in the newest READY sandbox. */
  readonly activeContainerStatuses: readonly Status[];
  /** Newest first. */
  readonly sandboxStatuses: readonly PodSandboxStatus[];
  /** When the listing it was made from was taken. */
  readonly timestamp: Instant;
}

/** A container in a listing of the runtime. Upstream: kubecontainer.Container. */
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

/** A pod in a listing of the runtime; sandboxes are read as containers. Upstream: kubecontainer.Pod. */
export interface RuntimePod {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly createdAt: Instant;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeContainer[];
}

/** The newest status of that name. Upstream: PodStatus.FindContainerStatusByName. */
export const findContainerStatusByName = (status: PodStatus, name: string): Status | undefined =>
  status.containerStatuses.find((container) => container.name === name);

/** The running containers and all sandboxes of a status. Upstream: ConvertPodStatusToRunningPod. */
export function convertPodStatusToRunningPod(runtimeName: string, status: PodStatus): RuntimePod {
  return {
    id: status.id,
    name: status.name,
    namespace: status.namespace,
    createdAt: status.timestamp,
    containers: status.containerStatuses
      .filter(({ state }) => state === 'running')
      .map(({ id, name, image, imageID, hash, state, createdAt }) => ({ id, name, image, imageID, hash, state, createdAt, podSandboxID: '' })),
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

/** `name_namespace(uid)`. Upstream: format.Pod. */
export const formatPod = (pod: Pod): string => `${pod.metadata.name}_${pod.metadata.namespace ?? ''}(${pod.metadata.uid})`;

/** `web_default`: the name under which a pod is unique on a node. Upstream: GetPodFullName. */
export const getPodFullName = (pod: Pod): string => `${pod.metadata.name}_${pod.metadata.namespace ?? ''}`;

/** What the kubelet prepared for one container. Upstream: kubecontainer.RunContainerOptions. */
export interface RunContainerOptions {
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  readonly mounts: readonly ContainerMount[];
  readonly devices: readonly { readonly pathOnHost: string; readonly pathInContainer: string; readonly permissions: string }[];
  /** CDI device names. */
  readonly cdiDevices: readonly string[];
  readonly annotations: readonly { readonly name: string; readonly value: string }[];
  /** Directory for the termination message file; empty when there is none. */
  readonly podContainerDir: string;
  readonly hostname: string;
}

/** A mount the kubelet asks for. Upstream: kubecontainer.Mount. */
export interface ContainerMount {
  readonly name: string;
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly recursiveReadOnly?: boolean;
  readonly selinuxRelabel?: boolean;
  readonly propagation: 'PROPAGATION_PRIVATE' | 'PROPAGATION_HOST_TO_CONTAINER' | 'PROPAGATION_BIDIRECTIONAL';
  /** Image volumes: the image to mount, and where in it. */
  readonly image?: { readonly image: string; readonly userSpecifiedImage?: string };
  readonly imageSubPath?: string;
}

/** CRI's DNSConfig before it is one. */
export interface PodDNS {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** What the runtime manager asks of the kubelet. Upstream: kubecontainer.RuntimeHelper. */
export interface RuntimeHelper {
  /** Options for one container, and what must be undone when its start is over. Fails when the container can't be configured. */
  generateRunContainerOptions(
    ctx: Context,
    pod: Pod,
    container: Container,
    podIP: string,
    podIPs: readonly string[],
    imageVolumes: Readonly<Record<string, { readonly image: string; readonly userSpecifiedImage?: string }>>,
  ): Promise<{ readonly options: RunContainerOptions; readonly cleanup?: () => Promise<void> }>;
  getPodDNS(ctx: Context, pod: Pod): Promise<PodDNS>;
  /** The literal cgroup path, empty when the node keeps none. */
  getPodCgroupParent(pod: Pod): string;
  getPodDir(uid: string): string;
  /** Host name and domain of a pod; fails for names that can't be one. */
  generatePodHostNameAndDomain(pod: Pod): { readonly hostname: string; readonly domain: string };
  getExtraSupplementalGroupsForPod(pod: Pod): readonly number[];
  /** True once the pod's termination was asked for (v1.36: a failed sandbox is then no failure). */
  isPodTerminationRequested(uid: string): boolean;
  /** v1.36: a sandbox was made and is ready, before images are pulled. */
  onPodSandboxReady(ctx: Context, pod: Pod): Promise<void>;
}

/** What the liveness and startup probes last said. Upstream: proberesults.Manager. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

export interface ProbeResults {
  /** Undefined while nothing is known. */
  get(id: ContainerID): ProbeResult | undefined;
}

/** Where Kubernetes events go. */
export interface EventRecorder {
  /** `container` puts the event on the container: its reference gets the field path. */
  event(ctx: Context, pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string, container?: Container | EphemeralContainer): void;
  /** An event on the node. */
  nodeEvent(ctx: Context, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** The file operations the runtime manager and the kubelet need. Upstream: kubecontainer.OSInterface. All paths are absolute. */
export interface OSInterface {
  /** Creates a directory and its parents; fine when it is there. `mode` applies to what is created. */
  mkdirAll(path: string, mode: number): Promise<void>;
  /** Writes a file whole, replacing what is there; `mode` is set whether or not it existed. */
  writeFile(path: string, content: string | Uint8Array, mode: number): Promise<void>;
  /** Content of a file, undefined when there is none. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** The last `maxBytes` of a file, undefined when there is none. */
  readTail(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Names in a directory, sorted; empty when there is none. */
  readDir(path: string): Promise<readonly string[]>;
  /** Whether there is something, links followed: a link that leads nowhere is not there. */
  exists(path: string): Promise<boolean>;
  /** What a path is, links followed; undefined when there is nothing. Absent: types of files can't be told apart here. */
  fileType?(path: string): Promise<'file' | 'directory' | 'socket' | 'characterDevice' | 'blockDevice' | undefined>;
  /** Makes `link` point at `target`; fails when `link` exists. */
  symlink(target: string, link: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, link or empty directory; fine when there is none. */
  remove(path: string): Promise<void>;
  /** Removes a path and everything below; fine when there is none. */
  removeAll(path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  /** Makes the missing directories of a path in a volume, with the volume's permissions. Absent: {@link mkdirAll} will do. @throws Error when it leads out of it */
  makeSubpath?(volume: string, path: string): Promise<void>;
  /**
   * What to mount for a path in a volume: a place that no container can exchange (`target`, bound to it), or where it really lies.
   * Absent: no container can make links here. @throws Error when it leads out of the volume
   */
  prepareSubpath?(volume: string, path: string, target: string): Promise<string>;
  /** Space of the file system that a path lies on; undefined when it is not known. Absent: it never is. */
  diskSpace?(path: string): Promise<{ readonly capacityBytes: number; readonly availableBytes: number } | undefined>;
  /** Bytes that a directory with all that is below takes on its file system. Absent: that is not known here. */
  diskUsage?(path: string): Promise<number>;
  /** Gives a file to a user; its group stays. Absent: this node can't. */
  chown?(path: string, user: number): Promise<void>;
  /** Mounts memory at a directory, `sizeBytes` of it at most. Absent: this node can't, and what asks for memory lies on disk. */
  mountTmpfs?(path: string, sizeBytes: number | undefined): Promise<void>;
  /** True when something is mounted at the path. Absent: nothing ever is. */
  isMountPoint?(path: string): Promise<boolean>;
  /** Unmounts what is mounted at the path and below. */
  unmountAll?(path: string): Promise<void>;
  /** Gives a volume with all that is in it to a group, readable (and, unless `readOnly`, writable) for it. Upstream: SetVolumeOwnership. */
  setVolumeOwnership?(path: string, group: number, readOnly: boolean): Promise<void>;
}

/** Garbage collection policy. Upstream: kubecontainer.GCPolicy; defaults in constants (v1.36): 0 s, 1, -1. */
export interface GCPolicy {
  readonly minAge: number;
  readonly maxPerPodContainer: number;
  readonly maxContainers: number;
}

/** What garbage collection asks about pods. Upstream: podStateProvider. */
export interface PodStateProvider {
  isPodTerminationRequested(uid: string): boolean;
  shouldPodContentBeRemoved(uid: string): boolean;
  shouldPodRuntimeBeRemoved(uid: string): boolean;
}

/** The resources that a container was last given. */
export interface ActuatedContainer {
  readonly pod: Pod;
  /** Its name. */
  readonly container: string;
  readonly resources: ResourceRequirements;
}

/** The runtime manager as the kubelet uses it. Upstream: kubecontainer.Runtime. */
export interface Runtime {
  /** Runtime name as in container ids. */
  readonly type: string;
  /** Takes over what an earlier kubelet's manager had saved, or what is known of it otherwise. Once, before all else. */
  start(actuated?: readonly ActuatedContainer[]): Promise<void>;
  /** All pods the runtime knows (`all`), or only what runs. */
  getPods(ctx: Context, all: boolean): Promise<readonly RuntimePod[]>;
  /** The status of one pod, from the record a listing gave. */
  getPodStatus(ctx: Context, pod: RuntimePod): Promise<PodStatus>;
  /** Makes the pod so. Never throws for failures of the pod: they are in the result. */
  syncPod(
    ctx: Context,
    pod: Pod,
    podStatus: PodStatus,
    pullSecrets: readonly Secret[],
    backOff: Backoff,
    restartAllContainers: boolean,
  ): Promise<PodSyncResult>;
  /** Whether something that runs has other resources than the pod, which carries what was granted. */
  isPodResizeInProgress(pod: Pod, podStatus: PodStatus): boolean;
  /** Stops every running container and every sandbox. Rejects with the summary of what failed. */
  killPod(ctx: Context, pod: Pod | undefined, runningPod: RuntimePod, gracePeriodOverride?: number): Promise<void>;
  /** Removes one dead container and its logs. */
  deleteContainer(ctx: Context, id: ContainerID): Promise<void>;
  garbageCollect(ctx: Context, policy: GCPolicy, allSourcesReady: boolean, evictNonDeletedPods: boolean): Promise<void>;
  /** The conditions RuntimeReady and NetworkReady. */
  status(ctx: Context): Promise<readonly { readonly type: string; readonly status: boolean; readonly reason: string; readonly message: string }[]>;
}
