/** Declares the parsed options of the server. */
import type { PodSecurityLevel } from '@podscope/apiserver';
import type { NetworkOptions } from '@podscope/dockershim';
import type { ImageGCPolicy } from '@podscope/kubelet';
import type { StoreLimits } from '../store/store-limits.ts';

/** A kind of runtime, or the endpoint of a CRI runtime. */
export type RuntimeChoice = 'auto' | 'docker' | 'sim' | `unix://${string}`;

/** The parsed command line. Directories are absolute. */
export interface ServerOptions {
  readonly runtime: RuntimeChoice;
  /** True to run dockershim in a separate process, which the server reaches over a socket. */
  readonly criOverGrpc: boolean;
  /** File with the settings of the simulated node. */
  readonly simulation: string | undefined;
  /** File with the state of a pod from another cluster. The simulated node continues the pod from that state. */
  readonly snapshot: string | undefined;
  readonly port: number;
  readonly host: string;
  /** The access token; undefined to generate one. */
  readonly token: string | undefined;
  /** Files of the certificate that the user provides. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  readonly insecure: boolean;
  readonly readOnly: boolean;
  readonly showSecrets: boolean;
  readonly stateDir: string;
  /** True if the user didn't choose the state directory. */
  readonly isDefaultStateDir: boolean;
  readonly manifestDir: string | undefined;
  readonly manifestUrl: string | undefined;
  readonly profile: 'v1.36' | 'v1.20';
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly podCgroups: 'auto' | 'on' | 'off';
  readonly nodeName: string;
  readonly sandboxImage: string | undefined;
  /** The policy of image garbage collection; undefined if images are never deleted. */
  readonly imageGC: ImageGCPolicy | undefined;
  /** The network plugin of dockershim. */
  readonly network: NetworkOptions;
  /** A real cluster to observe instead of running a node. */
  readonly cluster:
    | { readonly kubeconfig: string; readonly context: string | undefined; readonly namespace: string | undefined }
    | undefined;
  /** True to serve a class instead of a node. */
  readonly isClass: boolean;
  /** Address of the static site from which learners of a class load the page. */
  readonly classSite: string | undefined;
  readonly keepPods: boolean;
  readonly storeLimits: StoreLimits;
  /** File with a fault plan. */
  readonly faults: string | undefined;
  readonly onDisconnect: 'release' | 'keep';
  readonly probesOfStoppedPods: 'missed' | 'held' | 'made';
  readonly podSecurity: PodSecurityLevel;
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
  readonly open: boolean;
  readonly build: boolean;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

export type CommandLine =
  | { readonly action: 'help' | 'version' }
  | { readonly action: 'serve'; readonly options: ServerOptions };
