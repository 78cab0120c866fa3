/** What a runtime's test file hands to the contract suite. */
import type { Context } from '@podscope/trace';
import type { ContainerRuntime } from '../container-logs.ts';

/** One runtime under test and the node around it. */
export interface ContractEnvironment {
  readonly runtime: ContainerRuntime;
  /** An image that is present, with a busybox-like shell and tools, and no user of its own. */
  readonly image: string;
  /** An image that is neither present nor to be had. */
  readonly missingImage: string;
  /** Makes an image present that nothing else uses, so that a test may remove it; answers its name. */
  disposableImage(): Promise<string>;
  /** Creates a file on the node and answers its absolute path. */
  hostFile(name: string, content: string): Promise<string>;
  /** Reads a file of the node. */
  readHostFile(path: string): Promise<string>;
  /** Moves a file of the node. Needed where the runtime writes log files. */
  renameHostFile?(from: string, to: string): Promise<void>;
  /**
   * Lets time pass until `condition` holds. How time passes is the environment's affair: the suite runs on real and on virtual time.
   * Rejects, naming `what`, when it does not hold within a generous time (a minute or more).
   */
  waitFor(condition: () => boolean | Promise<boolean>, what?: string): Promise<void>;
  /** A directory of the node for the log files of sandboxes. Absent: the runtime is told of none, and keeps what containers write itself. */
  readonly logDirectory?: string;
  /** The cgroup that pods belong under, as the kubelet tells it. Absent: the runtime chooses. */
  readonly cgroupParent?: string;
  /** A context for one call. */
  ctx(): Context;
  /** Releases what the environment holds; the suite has removed its own sandboxes by then. */
  cleanup(): Promise<void>;
}

/**
 * What a runtime may lack, each with a reason where it is said; everything is expected unless it is false. Nothing is skipped: what is lacking
 * has to be refused as Unimplemented, or to be as the flag says.
 */
export interface ContractFeatures {
  /** The runtime answers GetContainerEvents. */
  readonly events?: boolean;
  /** The runtime answers PodSandboxStats and ListPodSandboxStats. */
  readonly sandboxStats?: boolean;
  /** The runtime answers RuntimeConfig. */
  readonly runtimeConfig?: boolean;
  /** What nobody knows counts as stopped already; false: StopPodSandbox and StopContainer answer NotFound, which the kubelet bears. */
  readonly stopsUnknown?: boolean;
  /** ListImages heeds its filter; false: it lists all, so that only ImageStatus finds one. */
  readonly imageFilter?: boolean;
  /** The runtime answers StreamPodSandboxes and its like. */
  readonly streamingLists?: boolean;
  /** The runtime answers UpdatePodSandboxResources. */
  readonly sandboxResources?: boolean;
  /** The runtime tells metrics. */
  readonly metrics?: boolean;
}
