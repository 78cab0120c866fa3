/** Declares what the test file of a runtime provides to the contract suite. */
import type { Context } from '@podscope/trace';
import type { TaskMeta } from 'vitest';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';

/** The runtime to test and the node around it. */
export interface ContractEnvironment {
  readonly runtime: ContainerRuntime;
  /** The name of a present image with a busybox-like shell and tools. The image sets no user. */
  readonly image: string;
  /** The name of an image that isn't present and that no registry has. */
  readonly missingImage: string;
  /** Provides an image that no other test uses, so that a test may remove it. Returns its name. */
  disposableImage(): Promise<string>;
  /** Creates a file on the node and returns its absolute path. */
  hostFile(name: string, content: string): Promise<string>;
  /** Reads a file of the node. */
  readHostFile(path: string): Promise<string>;
  /** Renames a file of the node. Required if the runtime writes log files. */
  renameHostFile?(from: string, to: string): Promise<void>;
  /**
   * Waits, on a real or a virtual clock, until `condition` is true. Rejects with an error that names `what` if that
   * takes longer than a generous limit (a minute or more).
   */
  waitFor(condition: () => boolean | Promise<boolean>, what?: string): Promise<void>;
  /** The directory of the node for log files. Absent: the runtime itself stores the output. */
  readonly logDirectory?: string;
  /** The parent cgroup of pods. Absent: the runtime chooses one. */
  readonly cgroupParent?: string;
  /** Returns a context for one call. */
  ctx(): Context;
  /** Releases the resources of the environment. Called after the suite has removed its sandboxes. */
  cleanup(): Promise<void>;
}

/**
 * A program between a client and a runtime, for example a relay: the endpoint for the client, and a function that ends
 * the program.
 */
interface Between {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Starts a program between a client and the runtime at an endpoint. */
export type PlaceBetween = (endpoint: string) => Promise<Between>;

/** Starts no program: the client connects to the runtime directly. */
export const nothingBetween: PlaceBetween = (endpoint) => Promise.resolve({ endpoint, close: () => Promise.resolve() });

/**
 * The features that a runtime may lack. All default to true. No test is skipped: a call of a missing feature must be
 * rejected as Unimplemented, or behave as the comment of its flag says.
 */
export interface ContractFeatures {
  /** The runtime implements GetContainerEvents. */
  readonly events?: boolean;
  /** The runtime implements PodSandboxStats and ListPodSandboxStats. */
  readonly sandboxStats?: boolean;
  /** The runtime implements RuntimeConfig. */
  readonly runtimeConfig?: boolean;
  /**
   * Whether stopping an unknown object succeeds. If false, the call fails with NotFound, which the kubelet tolerates.
   */
  readonly stopsUnknown?: boolean;
  /** Whether a log is complete when the exit is reported. If false, its last lines may follow. */
  readonly completeLogs?: boolean;
  /** Whether ListImages applies its filter. If false, the call returns all images. */
  readonly imageFilter?: boolean;
  /** The runtime implements the streaming lists. */
  readonly streamingLists?: boolean;
  /** The runtime implements UpdatePodSandboxResources. */
  readonly sandboxResources?: boolean;
  /**
   * Whether ContainerConfig.stop_signal replaces the stop signal of the image. If false, the runtime ignores the field.
   */
  readonly stopSignal?: boolean;
  /** The runtime provides metrics. */
  readonly metrics?: boolean;
  /** The capabilities of the machine that port-forwarding to a pod's loopback needs. Default: none. */
  readonly loopbackNeeds?: NonNullable<TaskMeta['needs']>;
}
