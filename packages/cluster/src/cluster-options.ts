/** What a cluster is made of, and how it ends. */
import type { ContainerRuntime } from '@podscope/cri';
import type { DebuggerOptions } from '@podscope/debugger';
import type { Pod } from '@podscope/k8s';
import type { CgroupManager, GrpcProber, HttpProber, KubeletDependencies, NodeConfiguration, TcpProber } from '@podscope/kubelet';
import type { OSInterface } from '@podscope/kuberuntime';
import type { NodeInfo, Notice } from '@podscope/protocol';
import type { Clock } from '@podscope/trace';
import type { RepeatedRun } from '@podscope/trace/file';
import type { ArchivedRun, EventArchive } from './event-feed.ts';
import type { MachineFacts } from './node-object.ts';
import type { ObjectPersistence } from './persistence.ts';
import type { PodPolicyOptions } from './pod-security/policy.ts';
import type { Random } from './random.ts';
import type { TokenSigner } from './service-account-token.ts';
import type { RunTimeSource } from './session.ts';

export interface ClusterOptions {
  readonly containerRuntime: ContainerRuntime;
  readonly runtimeKind: NodeInfo['runtime']['kind'];
  readonly clock: Clock;
  /** Paces the stream to clients; default: `clock`. Give real time when that one is virtual. */
  readonly pacing?: Clock;
  /** How time passes, when `clock` is virtual. */
  readonly time?: RunTimeSource;
  readonly random: Random;
  /** Chance in the kubelet's own delays. Default: `random`. */
  readonly jitter?: Random;
  /** Id of this run. Default: a random one. */
  readonly run?: string;
  /** The run that this one is another try of. */
  readonly repeats?: RepeatedRun;
  readonly os: OSInterface;
  readonly http: HttpProber;
  readonly tcp?: TcpProber;
  readonly grpc?: GrpcProber;
  /** The cgroups of pods, where the node keeps them. */
  readonly cgroups?: CgroupManager;
  readonly node: NodeConfiguration;
  readonly machine: MachineFacts;
  readonly policy: PodPolicyOptions;
  /** Clients may look, and change nothing. Default: false. */
  readonly readOnly?: boolean;
  /** Values of Secrets are shown in events, variables and exports. Default: false, they are masked. */
  readonly showSecrets?: boolean;
  /** Which release of the kubelet is followed. Default: v1.36. */
  readonly profile?: KubeletDependencies['profile'];
  /** Names of feature gates that differ from that release's defaults. */
  readonly featureGates?: KubeletDependencies['featureGates'];
  /** What another kubelet had in its memory. Default: nothing, as after every start. */
  readonly memory?: KubeletDependencies['memory'];
  /** When unused images are deleted. Default: never. */
  readonly imageGC?: KubeletDependencies['imageGC'];
  /** Signs tokens of service accounts. Default: they are not signed. */
  readonly tokenSigner?: TokenSigner;
  /** Default: nothing outlives the run. */
  readonly persistence?: ObjectPersistence;
  /** Pods also come from `setStaticPods`: from files, unless the sources are named. */
  readonly staticPods?: boolean | readonly StaticPodSource[];
  /** Version of the product, for the page. */
  readonly version: string;
  /** Path of the kubeconfig that lets kubectl talk to this node, for the page. */
  readonly kubeconfig?: string;
  /** What the person who looks should know of this run. */
  readonly notices?: readonly Notice[];
  /** Where breakpoints and fault plans are kept, and how the debugger behaves. Default: nothing is kept. */
  readonly debug?: Pick<DebuggerOptions, 'persistence' | 'options' | 'presence'>;
  readonly retainedEvents?: number;
  /** Keeps the run's events beyond memory and the process. Default: nothing does. */
  readonly openArchive?: (run: ArchivedRun) => EventArchive | undefined;
  /** Told of failures that nobody waits for. */
  readonly onError?: (message: string, error: unknown) => void;
}

/** How a node ends. */
export interface StopOptions {
  /** Pods stay as they are. Default: true. */
  readonly keepPods?: boolean;
  /** What clients are told. */
  readonly reason?: string;
  /** The run that is served from now on: clients are asked to come there. */
  readonly next?: string;
}

/** Where static pods come from. */
export type StaticPodSource = 'file' | 'http';

/** A static pod that the policy refuses. */
export interface RefusedPod {
  readonly pod: Pod;
  readonly message: string;
}
