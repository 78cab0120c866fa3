/**
 * Declares everything the kubelet needs from its environment: API client, runtime, files, probers, cgroups and node
 * settings.
 */
import type { ContainerRuntime } from '@podscope/cri';
import type { ConfigMap, Node, Pod, PodStatus, RuntimeClass, Secret, Service } from '@podscope/k8s';
import type {
  ActuatedContainer,
  BackoffEntry,
  EventRecorder,
  OSInterface,
  PodCgroupConfig,
} from '@podscope/kuberuntime';
import type { GrpcErrorCode, Instant } from '@podscope/trace';
import type { AppArmorHost } from './admission/app-armor.ts';
import type { PodSource } from './config/pod-source.ts';
import type { ImageGCPolicy } from './images/image-gc-manager.ts';
import type { LogRotatePolicy } from './logs/container-log-manager.ts';

/** The kubelet's client of the API server. Reads return undefined for an absent object. */
export interface KubeClient {
  getPod(namespace: string, name: string): Promise<Pod | undefined>;
  /** Replaces the status of the pod if it has this UID. Returns undefined when no pod with this UID exists. */
  patchPodStatus(namespace: string, name: string, uid: string, status: PodStatus): Promise<Pod | undefined>;
  /** Removes the pod at once (grace period 0) if it has this UID. Returns false when no pod with this UID exists. */
  deletePod(namespace: string, name: string, uid: string): Promise<boolean>;
  /** Creates a mirror pod. */
  createPod(pod: Pod): Promise<Pod>;
  getSecret(namespace: string, name: string): Promise<Secret | undefined>;
  getConfigMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  getRuntimeClass(name: string): Promise<RuntimeClass | undefined>;
  /**
   * Issues a token for a service account.
   * @throws Error when the account or the pod doesn't exist
   */
  createServiceAccountToken(namespace: string, name: string, request: TokenRequest): Promise<ServiceAccountToken>;
  listServices(namespace?: string): Promise<readonly Service[]>;
  getNode(): Promise<Node | undefined>;
}

/** The request for a token. Upstream: authentication/v1 TokenRequestSpec. */
export interface TokenRequest {
  /** The intended recipients; empty means the API server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The pod to which the token is bound: the token is valid only while this pod exists. */
  readonly boundPod?: { readonly name: string; readonly uid: string };
}

/** The issued token. Upstream: authentication/v1 TokenRequestStatus. */
export interface ServiceAccountToken {
  readonly token: string;
  readonly expires: Instant;
}

/**
 * The HTTP client of lifecycle handlers and probes. A call rejects on transport errors; every status code is a result.
 */
export interface HttpProber {
  get(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly status: number; readonly body: string }>;
}

/** Opens connections for tcpSocket probes. Rejects when the connection isn't open before the timeout. */
export interface TcpProber {
  connect(request: {
    readonly host: string;
    readonly port: number;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

/** The result of a gRPC health check: `HealthCheckResponse.ServingStatus` of grpc.health.v1. */
export type ServingStatus = 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';

/**
 * The outcome of a gRPC health check: a status of the service, an error of the call, or no connection before the
 * timeout.
 */
export type GrpcHealthOutcome =
  | { readonly status: ServingStatus }
  | { readonly code: GrpcErrorCode; readonly details: string }
  | 'not connected';

/** The client of grpc probes. A failed check is an outcome; a call rejects only when it is aborted. */
export interface GrpcProber {
  check(request: {
    readonly host: string;
    readonly port: number;
    /** The name of the service; empty means the server as a whole. */
    readonly service: string;
    readonly timeoutMs: number;
    readonly userAgent: string;
    readonly signal?: AbortSignal;
  }): Promise<GrpcHealthOutcome>;
}

/**
 * Manages cgroups on the machine that runs the containers. Paths are literal cgroup parents, like
 * `/kubepods/burstable/pod<uid>`.
 */
export interface CgroupManager {
  exists(path: string): Promise<boolean>;
  /**
   * Creates the cgroup and its parents if needed, and writes the values that are set.
   * @throws Error when the cgroup can't be created
   */
  create(path: string, config: PodCgroupConfig): Promise<void>;
  /**
   * Writes the values that are set.
   * @throws Error when a value can't be written
   */
  update(path: string, config: PodCgroupConfig): Promise<void>;
  /**
   * Reads the current values of a resource in the cgroup.
   * @throws Error when they can't be read
   */
  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /** Returns the memory in use by the cgroup and by each of its children, in bytes; undefined for an unknown usage. */
  memoryUsage(
    path: string,
  ): Promise<{ readonly total: number | undefined; readonly children: Readonly<Record<string, number>> }>;
  /**
   * Kills every process in the cgroup and in its children, then removes the cgroup.
   * @throws Error when a process or a part of the cgroup is left
   */
  destroy(path: string): Promise<void>;
  /**
   * Returns the paths of the pod cgroups that this node created, by pod UID. Cgroups of other kubelets on the machine
   * are excluded.
   */
  pods(): Promise<ReadonlyMap<string, string>>;
}

/** Facts and settings of the node. */
export interface NodeConfiguration {
  readonly name: string;
  readonly ips: readonly string[];
  /** The parent of the pods' directories, for example `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** The directory of container logs, for example `/var/log/pods`. */
  readonly podLogsDir: string;
  /** The directory for links to container logs, for example `/var/log/containers`. Absent: no links are created. */
  readonly legacyLogDir?: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /**
   * The size in bytes of the file system that stores the pods' files. Absent: the size is unknown, and admission
   * doesn't check ephemeral storage.
   */
  readonly ephemeralStorageBytes?: number;
  readonly hugePageSizes: readonly string[];
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** Reads the node's resolver file. The kubelet calls it once per sandbox. */
  readonly readResolvConf: () => Promise<string>;
  /** Reads the node's /etc/hosts, for pods on the host network. */
  readonly readHostsFile: () => Promise<string>;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  readonly cgroupVersion: 1 | 2;
  /** Whether pods have a cgroup parent. */
  readonly cgroupsPerQOS: boolean;
  readonly cpuCFSQuota: boolean;
  readonly seccompDefault: boolean;
  readonly maxPods: number;
  /** The AppArmor state of the kernel. Absent: the state is unknown, and admission doesn't check AppArmor. */
  readonly appArmor?: AppArmorHost;
}

export interface KubeletDependencies {
  readonly containerRuntime: ContainerRuntime;
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly os: OSInterface;
  readonly http: HttpProber;
  /** The client of tcpSocket probes. Absent: the result of these probes is unknown. */
  readonly tcp?: TcpProber;
  /** The client of grpc probes. Absent: the result of these probes is unknown. */
  readonly grpc?: GrpcProber;
  /**
   * The manager of pod cgroups. Absent: the node creates no pod cgroups, even if {@link
   * NodeConfiguration.cgroupsPerQOS} names parents for the containers.
   */
  readonly cgroups?: CgroupManager;
  readonly node: NodeConfiguration;
  /** Returns a number in [0, 1) for jitter. The simulator passes a seeded generator. */
  readonly random: () => number;
  /** The sources of pods. Nothing is deleted until each source has delivered its pods once. Default: only `api`. */
  readonly sources?: readonly PodSource[];
  /** The feature gates that differ from the release's defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The release whose behavior the kubelet has. Default: v1.36. */
  readonly profile?: 'v1.36' | 'v1.20';
  /**
   * True when no API server exists and {@link client} is a substitute: statuses aren't written, static pods aren't
   * mirrored, and the node has no address.
   */
  readonly standalone?: boolean;
  /**
   * The policy by which unused images are deleted. Absent: unused images are never deleted, because other users of the
   * engine may need them.
   */
  readonly imageGC?: ImageGCPolicy;
  /** The policy by which the logs of containers are rotated; v1.20 ignores it. Absent: logs aren't rotated. */
  readonly logRotation?: LogRotatePolicy;
  /** The state of an earlier kubelet that this one continues. Default: no state, as after every start. */
  readonly memory?: KubeletMemory;
}

/** The part of a kubelet's state that isn't stored in files. */
interface KubeletMemory {
  readonly backOffs: readonly RestoredBackOff[];
  /** The reasons why containers couldn't be started. */
  readonly startFailures: readonly RestoredStartFailure[];
  /** The resources that the kubelet last applied to running containers. The genuine kubelet reads them from a file. */
  readonly actuated: readonly ActuatedContainer[];
  /** How many times in a row each probe of a running container has failed. Default: 0. */
  readonly probeFailures?: readonly RestoredProbeFailures[];
}

/** The failures of a probe since its last success; their number is below the probe's failure threshold. */
export interface RestoredProbeFailures {
  readonly pod: Pod;
  /** The container's name. */
  readonly container: string;
  readonly type: 'liveness' | 'readiness' | 'startup';
  readonly count: number;
}

export interface RestoredStartFailure {
  readonly pod: Pod;
  /** The container's name. */
  readonly container: string;
  /** The waiting reason, for example `CrashLoopBackOff` or `ErrImagePull`. */
  readonly reason: string;
  readonly message: string;
}

/** The back-off of a container's restart (kind `container`), or of the pull of its image (kind `image`). */
export interface RestoredBackOff extends BackoffEntry {
  readonly pod: Pod;
  /** The container's name. */
  readonly container: string;
  readonly kind: 'container' | 'image';
}
