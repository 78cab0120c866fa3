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

/** The API server as the kubelet uses it. Reads return undefined for an absent object. */
export interface KubeClient {
  getPod(namespace: string, name: string): Promise<Pod | undefined>;
  /** Replaces the status of the pod with that UID. Returns undefined when the pod is gone or has another UID. */
  patchPodStatus(namespace: string, name: string, uid: string, status: PodStatus): Promise<Pod | undefined>;
  /** Removes the object at once (grace period 0) if it still has that UID. */
  deletePod(namespace: string, name: string, uid: string): Promise<void>;
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

/** Upstream: authentication/v1 TokenRequestSpec. */
export interface TokenRequest {
  /** The intended recipients; empty means the API server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token is valid only while this pod exists. */
  readonly boundPod?: { readonly name: string; readonly uid: string };
}

/** Upstream: authentication/v1 TokenRequestStatus. */
export interface ServiceAccountToken {
  readonly token: string;
  readonly expires: Instant;
}

/** The HTTP client of lifecycle handlers and probes. Rejects on transport errors, never because of a status code. */
export interface HttpProber {
  get(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly status: number; readonly body: string }>;
}

/** Opens connections for tcpSocket probes. Rejects when no connection is made in time. */
export interface TcpProber {
  connect(request: {
    readonly host: string;
    readonly port: number;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  }): Promise<void>;
}

/** `HealthCheckResponse.ServingStatus` of grpc.health.v1. */
export type ServingStatus = 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';

/** The outcome of a gRPC health check: the service's status, an error of the call, or no connection in time. */
export type GrpcHealthOutcome =
  | { readonly status: ServingStatus }
  | { readonly code: GrpcErrorCode; readonly details: string }
  | 'not connected';

/** The client of grpc probes. Failures are outcomes; it rejects only when aborted. */
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
 * The cgroups of the machine that runs the containers. Paths are literal cgroup parents, like
 * `/kubepods/burstable/pod<uid>`.
 */
export interface CgroupManager {
  exists(path: string): Promise<boolean>;
  /**
   * Creates the cgroup with its parents if needed and writes the values.
   * @throws Error when it can't be created
   */
  create(path: string, config: PodCgroupConfig): Promise<void>;
  /**
   * Writes the values that are set.
   * @throws Error when one can't be written
   */
  update(path: string, config: PodCgroupConfig): Promise<void>;
  /**
   * Reads the values in force.
   * @throws Error when they can't be read
   */
  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /** Returns the bytes in use by the cgroup and by each of its children; undefined where the usage isn't known. */
  memoryUsage(
    path: string,
  ): Promise<{ readonly total: number | undefined; readonly children: Readonly<Record<string, number>> }>;
  /**
   * Kills every process in the cgroup and below it, then removes it.
   * @throws Error when something is left
   */
  destroy(path: string): Promise<void>;
  /**
   * Returns the paths of the pod cgroups that this node created, by pod UID. Those of other kubelets on the machine are
   * excluded.
   */
  pods(): Promise<ReadonlyMap<string, string>>;
}

/** Facts and settings of the node. */
export interface NodeConfiguration {
  readonly name: string;
  readonly ips: readonly string[];
  /** `/var/lib/kubelet`, the parent of the pods' directories. */
  readonly rootDir: string;
  /** `/var/log/pods`. */
  readonly podLogsDir: string;
  /** `/var/log/containers`, the directory for links to container logs. Absent: no links are created. */
  readonly legacyLogDir?: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** The size of the file system that stores the pods' files. Absent: unknown, and admission doesn't check it. */
  readonly ephemeralStorageBytes?: number;
  readonly hugePageSizes: readonly string[];
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** Reads the node's resolver file; called once per sandbox. */
  readonly readResolvConf: () => Promise<string>;
  /** Reads the node's /etc/hosts, for pods on the host network. */
  readonly readHostsFile: () => Promise<string>;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  readonly cgroupVersion: 1 | 2;
  /** False: pods have no cgroup parent. */
  readonly cgroupsPerQOS: boolean;
  readonly cpuCFSQuota: boolean;
  readonly seccompDefault: boolean;
  readonly maxPods: number;
  /** Absent: nothing is known of the kernel's AppArmor, and admission doesn't check it. */
  readonly appArmor?: AppArmorHost;
}

export interface KubeletDependencies {
  readonly containerRuntime: ContainerRuntime;
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly os: OSInterface;
  readonly http: HttpProber;
  /** Absent: tcpSocket probes have the result unknown. */
  readonly tcp?: TcpProber;
  /** Absent: grpc probes have the result unknown. */
  readonly grpc?: GrpcProber;
  /**
   * Absent: the node creates no pod cgroups, whatever {@link NodeConfiguration.cgroupsPerQOS} says about the
   * containers' parents.
   */
  readonly cgroups?: CgroupManager;
  readonly node: NodeConfiguration;
  /** Returns a number in [0, 1), for jitter; seeded in the simulator. */
  readonly random: () => number;
  /** The sources of pods. Nothing is deleted before each has delivered once. Default: only `api`. */
  readonly sources?: readonly PodSource[];
  /** The feature gates that differ from the release's defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The release to behave like. Default: v1.36. */
  readonly profile?: 'v1.36' | 'v1.20';
  /**
   * True when {@link client} has no API server: statuses aren't written, static pods aren't mirrored, and the node has
   * no address.
   */
  readonly standalone?: boolean;
  /** When unused images are deleted. Absent: never, because other users of the engine may need them. */
  readonly imageGC?: ImageGCPolicy;
  /** The state of an earlier kubelet that this one continues. Default: none, as after every start. */
  readonly memory?: KubeletMemory;
}

/** The part of a kubelet's state that it stores in no file. */
interface KubeletMemory {
  readonly backOffs: readonly RestoredBackOff[];
  /** The reasons why containers couldn't be started. */
  readonly startFailures: readonly RestoredStartFailure[];
  /** The resources that running containers last received; a real kubelet reads them from a file. */
  readonly actuated: readonly ActuatedContainer[];
  /** How often in a row each probe of a running container has failed. Default: never. */
  readonly probeFailures?: readonly RestoredProbeFailures[];
}

/** The failures of a probe since its last success, fewer than its threshold. */
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
  /** `CrashLoopBackOff`, `ErrImagePull`, … */
  readonly reason: string;
  readonly message: string;
}

/** A back-off of a container's restart or, with `image`, of its image's pull. */
export interface RestoredBackOff extends BackoffEntry {
  readonly pod: Pod;
  /** The container's name. */
  readonly container: string;
  readonly kind: 'container' | 'image';
}
