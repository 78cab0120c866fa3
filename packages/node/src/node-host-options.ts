/** Declares the options of a node and of stopping it. */

import type { ObjectPersistence, PodPolicyOptions, Random, TokenSigner } from '@podscope/apiserver';
import type { ContainerRuntime } from '@podscope/cri';
import type { DebuggerOptions } from '@podscope/debugger';
import type { Pod } from '@podscope/k8s';
import type {
  CgroupManager,
  GrpcProber,
  HttpProber,
  KubeletDependencies,
  NodeConfiguration,
  TcpProber,
} from '@podscope/kubelet';
import type { OSInterface } from '@podscope/kuberuntime';
import type { NodeInfo, Notice } from '@podscope/protocol';
import type { Clock } from '@podscope/trace';
import type { RepeatedRun } from '@podscope/trace/file';
import type { MachineFacts } from './kubelet/node-object.ts';
import type { ArchivedRun, EventArchive } from './sessions/event-feed.ts';
import type { RunTimeSource } from './sessions/session.ts';

export interface NodeHostOptions {
  readonly containerRuntime: ContainerRuntime;
  readonly runtimeKind: NodeInfo['runtime']['kind'];
  readonly clock: Clock;
  /** The clock that paces the stream to clients. It shows real time. Default: `clock`. */
  readonly pacing?: Clock;
  /** The source from which clients get virtual time, if `clock` is virtual. */
  readonly time?: RunTimeSource;
  readonly random: Random;
  /** The random numbers for the kubelet's delays. Default: `random`. */
  readonly jitter?: Random;
  /** Id of this run. Default: a random one. */
  readonly run?: string;
  /** The run that this run repeats. */
  readonly repeats?: RepeatedRun;
  readonly os: OSInterface;
  readonly http: HttpProber;
  readonly tcp?: TcpProber;
  readonly grpc?: GrpcProber;
  /** The manager of pod cgroups. Absent: the node has no pod cgroups. */
  readonly cgroups?: CgroupManager;
  readonly node: NodeConfiguration;
  readonly machine: MachineFacts;
  readonly policy: PodPolicyOptions;
  /** Rejects changes by clients. Default: false. */
  readonly readOnly?: boolean;
  /** Shows the values of Secrets in events, variables and exports. Default: false. */
  readonly showSecrets?: boolean;
  /** The kubelet release whose behavior the node has. Default: v1.36. */
  readonly profile?: KubeletDependencies['profile'];
  /** Feature gates that differ from the release's defaults. */
  readonly featureGates?: KubeletDependencies['featureGates'];
  /** The in-memory state of another kubelet, from which this one continues. Default: no state. */
  readonly memory?: KubeletDependencies['memory'];
  /** The policy of image garbage collection. Default: images are never deleted. */
  readonly imageGC?: KubeletDependencies['imageGC'];
  /** The policy of log rotation. Default: logs aren't rotated. */
  readonly logRotation?: KubeletDependencies['logRotation'];
  /** Signs service account tokens. Default: tokens are unsigned. */
  readonly tokenSigner?: TokenSigner;
  /** Stores API objects. Default: objects are lost when the run ends. */
  readonly persistence?: ObjectPersistence;
  /** The sources of static pods that `setStaticPods` sets. `true` means files. */
  readonly staticPods?: boolean | readonly StaticPodSource[];
  /** Version of the product, for the page. */
  readonly version: string;
  /** The path of the kubeconfig with which kubectl connects to this node, for the page. */
  readonly kubeconfig?: string;
  /** Notices about this run, for the page. */
  readonly notices?: readonly Notice[];
  /** The persistence and the options of the debugger. Default: breakpoints and fault plans aren't stored. */
  readonly debug?: Pick<DebuggerOptions, 'persistence' | 'options' | 'presence'>;
  readonly retainedEvents?: number;
  /** Opens an archive for the events of the run. Default: events are only kept in memory. */
  readonly openArchive?: (run: ArchivedRun) => EventArchive | undefined;
  /** Called for errors of background work. */
  readonly onError?: (message: string, error: unknown) => void;
}

/** Options of stopping a node. */
export interface StopOptions {
  /** Keeps the pods running. Default: true. */
  readonly keepPods?: boolean;
  /** The reason that clients receive. */
  readonly reason?: string;
  /** The run to which clients should connect next. */
  readonly next?: string;
}

/** The kinds of sources of static pods. */
export type StaticPodSource = 'file' | 'http';

/** A static pod that violates the pod security policy. */
export interface RefusedPod {
  readonly pod: Pod;
  readonly message: string;
}
