/** What a simulated runtime is made from, and what it is when nothing is said. */
import type { CriMethod } from '@podscope/cri';
import type { Clock, Milliseconds } from '@podscope/trace';
import type { PlannedFault } from './faults.ts';
import type { HostFiles } from './host-files.ts';
import type { RegistryOptions } from './images/registry.ts';
import type { LogFiles } from './log-files.ts';
import type { Random } from './random.ts';

/** What takes time and can be made to fail: a CRI call, or a call of the network plugin. */
export type Operation = CriMethod | 'CNI ADD' | 'CNI DEL';

/** How long operations take, in milliseconds. What is not named takes no time. */
export type Latencies = Readonly<Partial<Record<Operation, Milliseconds>>>;

/** About what a Docker engine on a small machine needs. A pull's time comes from the registry and the image's size. */
export const defaultLatencies: Latencies = {
  RunPodSandbox: 180,
  'CNI ADD': 120,
  'CNI DEL': 40,
  StopPodSandbox: 60,
  RemovePodSandbox: 40,
  CreateContainer: 50,
  StartContainer: 160,
  StopContainer: 20,
  RemoveContainer: 30,
  UpdateContainerResources: 15,
  ExecSync: 40,
  ContainerStats: 30,
  RemoveImage: 80,
};

/** For tests that want no time to pass. */
export const noLatencies: Latencies = {};

export interface SimulatorOptions {
  /** All time comes from here. */
  readonly clock: Clock;
  /** All chance comes from here; a generator of seed 1 when nothing is said. */
  readonly random?: Random;
  /** Each call takes its latency, 20 % more or less. */
  readonly latencies?: Latencies;
  /** Registries before the usual ones: the first one whose host fits is asked. */
  readonly registries?: readonly RegistryOptions[];
  /** References of images that are present from the start. */
  readonly images?: readonly string[];
  /** Lives of containers by `namespace/pod/container`, `pod/container` or `container`; the syntax of the annotation `sim.podscope.dev/<container>`. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** Addresses of pods; the first is the bridge's. */
  readonly ipRange?: string;
  readonly nodeIp?: string;
  /** The image of sandboxes; pulled when it is not there. */
  readonly sandboxImage?: string;
  /** False for a node that has yet to pull it. */
  readonly hasSandboxImage?: boolean;
  /** Failures that are bound to come. */
  readonly faults?: readonly PlannedFault[];
  /** The node's files, which mounts lead to. In memory when nothing is said. */
  readonly hostFiles?: HostFiles;
  /** Where containers' output is written; among `hostFiles` when nothing is said, where a file shows the last 20,000 lines. */
  readonly logFiles?: LogFiles;
  /** Memory of the node in bytes. */
  readonly nodeMemory?: number;
  /** Runtime handlers beside the default one. */
  readonly runtimeHandlers?: readonly string[];
  /** The name before `://` in container ids. */
  readonly name?: string;
}

export const defaultSandboxImage = 'registry.k8s.io/pause:3.10';
export const defaultImages: readonly string[] = ['busybox:1.36'];
export const defaultIpRange = '10.244.0.0/24';
export const defaultNodeIp = '192.168.49.2';
export const defaultNodeMemory = 8 * 1024 ** 3;
