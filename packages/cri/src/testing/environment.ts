/** Declares what a runtime's test file provides to the contract suite. */
import type { Context } from '@podscope/trace';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/** One runtime under test and the node around it. */
export interface ContractEnvironment {
  readonly runtime: ContainerRuntime;
  /** An image that is present, with a busybox-like shell and tools, and no user of its own. */
  readonly image: string;
  /** An image that is neither present nor available from a registry. */
  readonly missingImage: string;
  /** Provides an image that no other test uses and a test may remove; returns its name. */
  disposableImage(): Promise<string>;
  /** Creates a file on the node and returns its absolute path. */
  hostFile(name: string, content: string): Promise<string>;
  /** Reads a file of the node. */
  readHostFile(path: string): Promise<string>;
  /** Renames a file of the node. Required if the runtime writes log files. */
  renameHostFile?(from: string, to: string): Promise<void>;
  /**
   * Lets real or virtual time pass until `condition` holds.
   * Rejects, naming `what`, if it doesn't hold within a generous time (a minute or more).
   */
  waitFor(condition: () => boolean | Promise<boolean>, what?: string): Promise<void>;
  /** The node's directory for log files. Absent: the runtime keeps the output itself. */
  readonly logDirectory?: string;
  /** The parent cgroup of pods. Absent: the runtime chooses. */
  readonly cgroupParent?: string;
  /** Returns a context for one call. */
  ctx(): Context;
  /** Releases the environment's resources after the suite has removed its sandboxes. */
  cleanup(): Promise<void>;
}

/** Something between a client and a runtime, such as a relay: where the client connects, and how it ends. */
interface Between {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Places something between a client and the runtime at an endpoint. */
export type PlaceBetween = (endpoint: string) => Promise<Between>;

/** Places nothing: the client connects to the runtime. */
export const nothingBetween: PlaceBetween = (endpoint) => Promise.resolve({ endpoint, close: () => Promise.resolve() });

/**
 * Features that a runtime may lack; all default to true. Nothing is skipped: a missing feature must be rejected as
 * Unimplemented or behave as documented at its flag.
 */
export interface ContractFeatures {
  /** The runtime implements GetContainerEvents. */
  readonly events?: boolean;
  /** The runtime implements PodSandboxStats and ListPodSandboxStats. */
  readonly sandboxStats?: boolean;
  /** The runtime implements RuntimeConfig. */
  readonly runtimeConfig?: boolean;
  /** Stopping an unknown object succeeds; false: it fails with NotFound, which the kubelet tolerates. */
  readonly stopsUnknown?: boolean;
  /** ListImages applies its filter; false: it returns all images. */
  readonly imageFilter?: boolean;
  /** The runtime implements the streaming lists. */
  readonly streamingLists?: boolean;
  /** The runtime implements UpdatePodSandboxResources. */
  readonly sandboxResources?: boolean;
  /** ContainerConfig.stop_signal replaces the image's stop signal; false: the runtime ignores the field. */
  readonly stopSignal?: boolean;
  /** The runtime provides metrics. */
  readonly metrics?: boolean;
}
