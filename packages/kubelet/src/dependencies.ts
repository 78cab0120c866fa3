/** What the kubelet is handed by whoever composes it. */
import type { ContainerRuntime } from '@podscope/cri';
import type { ConfigMap, Node, Pod, PodStatus, Secret, Service } from '@podscope/k8s';
import type { ActuatedContainer, BackoffEntry, EventRecorder, OSInterface, PodCgroupConfig } from '@podscope/kuberuntime';
import type { GrpcErrorCode, Instant } from '@podscope/trace';
import type { PodSource } from './config/pod-source.ts';
import type { ImageGCPolicy } from './images/image-gc-manager.ts';

/** The API server as the kubelet uses it. Absent objects are undefined, not errors. */
export interface KubeClient {
  getPod(namespace: string, name: string): Promise<Pod | undefined>;
  /** Replaces the status of the pod with that UID; undefined when it is gone or another one. */
  patchPodStatus(namespace: string, name: string, uid: string, status: PodStatus): Promise<Pod | undefined>;
  /** Removes the object for good (grace 0) if it still has that UID. */
  deletePod(namespace: string, name: string, uid: string): Promise<void>;
  /** Creates a mirror pod. */
  createPod(pod: Pod): Promise<Pod>;
  getSecret(namespace: string, name: string): Promise<Secret | undefined>;
  getConfigMap(namespace: string, name: string): Promise<ConfigMap | undefined>;
  /** Issues a token of a service account. @throws Error when there is no such account or pod */
  createServiceAccountToken(namespace: string, name: string, request: TokenRequest): Promise<ServiceAccountToken>;
  listServices(namespace?: string): Promise<readonly Service[]>;
  getNode(): Promise<Node | undefined>;
}

/** Upstream: authentication/v1 TokenRequestSpec. */
export interface TokenRequest {
  /** Whom it is for; none: the API server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token is good as long as this pod is there. */
  readonly boundPod?: { readonly name: string; readonly uid: string };
}

/** Upstream: authentication/v1 TokenRequestStatus. */
export interface ServiceAccountToken {
  readonly token: string;
  readonly expires: Instant;
}

/** The HTTP client of lifecycle handlers and probes. Rejects on transport errors, never for a status. */
export interface HttpProber {
  get(request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly status: number; readonly body: string }>;
}

/** The dialler of tcpSocket probes. Rejects when the connection can't be made in time. */
export interface TcpProber {
  connect(request: { readonly host: string; readonly port: number; readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<void>;
}

/** `HealthCheckResponse.ServingStatus` of grpc.health.v1. */
export type ServingStatus = 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';

/** How asking the health service of gRPC came out: its answer, an error of the call, or no connection in time. */
export type GrpcHealthOutcome = { readonly status: ServingStatus } | { readonly code: GrpcErrorCode; readonly details: string } | 'not connected';

/** The client of grpc probes. Never rejects but for an abort: what goes wrong is an outcome, too. */
export interface GrpcProber {
  check(request: {
    readonly host: string;
    readonly port: number;
    /** Name of the service; empty asks for the server as a whole. */
    readonly service: string;
    readonly timeoutMs: number;
    readonly userAgent: string;
    readonly signal?: AbortSignal;
  }): Promise<GrpcHealthOutcome>;
}

/** The cgroups of the machine that containers run on. Paths are literal cgroup parents, like `/kubepods/burstable/pod<uid>`. */
export interface CgroupManager {
  exists(path: string): Promise<boolean>;
  /** Makes it, with its parents, and gives it these values. Fine when it is there. @throws Error when it can't be made */
  create(path: string, config: PodCgroupConfig): Promise<void>;
  /** Writes the members that are there. @throws Error when it can't be written */
  update(path: string, config: PodCgroupConfig): Promise<void>;
  /** What is in force. @throws Error when it can't be read */
  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig>;
  /** Bytes in use, by the cgroup and by each cgroup in it; undefined where nothing is known. */
  memoryUsage(path: string): Promise<{ readonly total: number | undefined; readonly children: Readonly<Record<string, number>> }>;
  /** Kills every process in it and below, then removes it. @throws Error when something is left */
  destroy(path: string): Promise<void>;
  /** The pod cgroups that this node made, by UID; those of others on the same machine are not among them. */
  pods(): Promise<ReadonlyMap<string, string>>;
}

/** Facts and settings of the node. */
export interface NodeConfiguration {
  readonly name: string;
  readonly ips: readonly string[];
  /** `/var/lib/kubelet`: pod directories live below. */
  readonly rootDir: string;
  /** `/var/log/pods`. */
  readonly podLogsDir: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** Size of the file system that pods' files lie on. Absent: nobody knows, and nothing is judged by it. */
  readonly ephemeralStorageBytes?: number;
  readonly hugePageSizes: readonly string[];
  readonly clusterDNS: readonly string[];
  readonly clusterDomain: string;
  /** Content of the node's resolver file, read once per sandbox. */
  readonly readResolvConf: () => Promise<string>;
  /** Content of the node's /etc/hosts, for host-network pods. */
  readonly readHostsFile: () => Promise<string>;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  readonly cgroupVersion: 1 | 2;
  /** False: pods get no cgroup parent. */
  readonly cgroupsPerQOS: boolean;
  readonly cpuCFSQuota: boolean;
  readonly seccompDefault: boolean;
  readonly maxPods: number;
}

export interface KubeletDependencies {
  readonly containerRuntime: ContainerRuntime;
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly os: OSInterface;
  readonly http: HttpProber;
  /** Absent: tcpSocket probes can't be made and count as unknown. */
  readonly tcp?: TcpProber;
  /** Absent: grpc probes can't be made and count as unknown. */
  readonly grpc?: GrpcProber;
  /** Absent: the node keeps no cgroups of pods, whatever {@link NodeConfiguration.cgroupsPerQOS} says of the containers' parents. */
  readonly cgroups?: CgroupManager;
  readonly node: NodeConfiguration;
  /** A number in [0, 1), for jitter; seeded in the simulator. */
  readonly random: () => number;
  /** The sources of pods; nothing is deleted before each has delivered once. Default: only `api`. */
  readonly sources?: readonly PodSource[];
  /** Names of feature gates that differ from the release's defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The release to behave like. Default: v1.36. */
  readonly profile?: 'v1.36' | 'v1.20';
  /** No API server stands behind {@link client}: statuses are not written, static pods not mirrored, and the node has no address. */
  readonly standalone?: boolean;
  /** When unused images are deleted. Absent: never, images may be others'. */
  readonly imageGC?: ImageGCPolicy;
  /** `/var/log/containers`: where links to container logs are made. Absent: none are. */
  readonly legacyLogDir?: string;
  /** What another kubelet had in its memory, for one that goes on in its place. Default: nothing, as after every start. */
  readonly memory?: KubeletMemory;
}

/** What a kubelet knows that is written nowhere. */
interface KubeletMemory {
  readonly backOffs: readonly RestoredBackOff[];
  /** Why containers could not be started. */
  readonly startFailures: readonly RestoredStartFailure[];
  /** What running containers were given, which a kubelet has in a file. */
  readonly actuated: readonly ActuatedContainer[];
  /** Startup probes that go on, and how often in a row probes of running containers have failed. Default: none has. */
  readonly probeFailures?: readonly RestoredProbeFailures[];
}

/** Failures of a probe since its last success, short of its threshold. */
export interface RestoredProbeFailures {
  readonly pod: Pod;
  /** Its name. */
  readonly container: string;
  readonly type: 'liveness' | 'readiness' | 'startup';
  readonly count: number;
}

export interface RestoredStartFailure {
  readonly pod: Pod;
  /** Its name. */
  readonly container: string;
  /** `CrashLoopBackOff`, `ErrImagePull`, … */
  readonly reason: string;
  readonly message: string;
}

/** A wait of a container's restart, or (with `image`) of its image's pull. */
export interface RestoredBackOff extends BackoffEntry {
  readonly pod: Pod;
  /** Its name. */
  readonly container: string;
  readonly kind: 'container' | 'image';
}
