/** Defines the options of a simulated runtime and their defaults. */
import type { Random } from '@podscope/base';
import type { defaultSandboxImages } from '@podscope/cri';
import type { Clock } from '@podscope/trace';
import type { LogFiles } from './containers/log-files.ts';
import type { PlannedFault } from './faults.ts';
import type { RegistryOptions } from './images/registry.ts';
import type { HostFiles } from './machine/host-files.ts';
import type { Latencies } from './operations.ts';

export interface SimulatorOptions {
  /** The clock. The simulation reads no other time. */
  readonly clock: Clock;
  /** The source of all random numbers of the simulation. Default: a generator with seed 1. */
  readonly random?: Random;
  /** The latency of each operation, to which a random deviation of up to 20 % is added. */
  readonly latencies?: Latencies;
  /** Registries that take precedence over the default ones. The first one with a matching host is used. */
  readonly registries?: readonly RegistryOptions[];
  /** References of the images that are present at the start. */
  readonly images?: readonly string[];
  /**
   * The scripts of containers by `namespace/pod/container`, `pod/container` or `container`. Their syntax is the same as
   * in the annotation `sim.podscope.dev/<container>`.
   */
  readonly scripts?: Readonly<Record<string, string>>;
  /** The IPv4 range of the pods. Its first address is the bridge's. */
  readonly ipRange?: string;
  readonly nodeIp?: string;
  /**
   * The release whose kubelet drives the runtime. It selects the default sandbox image and how image ids are written:
   * v1.20 adds the prefixes of its dockershim. Default v1.36.
   */
  readonly release?: keyof typeof defaultSandboxImages;
  /** The sandbox image; pulled when it is absent. Default: the release's `defaultSandboxImages`. */
  readonly sandboxImage?: string;
  /** Whether the node has the sandbox image at the start. Default: true. */
  readonly hasSandboxImage?: boolean;
  /** The fault plan. */
  readonly faults?: readonly PlannedFault[];
  /** The files of the node, to which bind mounts refer. Default: files in memory. */
  readonly hostFiles?: HostFiles;
  /** Where container logs are written. Default: in `hostFiles`, limited to the last 20,000 lines of each container. */
  readonly logFiles?: LogFiles;
  /** Memory of the node in bytes. */
  readonly nodeMemory?: number;
  /** Runtime handlers in addition to the default one. */
  readonly runtimeHandlers?: readonly string[];
  /** API version of the Docker engine that the simulator imitates, such as `1.41`. */
  readonly engineApiVersion?: string;
  /** The name of the runtime, which precedes `://` in container ids. */
  readonly name?: string;
}

export const defaultEngineApiVersion = '1.41';
export const defaultName = 'sim';
export const defaultImages: readonly string[] = ['busybox:1.36'];
export const defaultIpRange = '10.244.0.0/24';
export const defaultNodeIp = '192.168.49.2';
export const defaultNodeMemory = 8 * 1024 ** 3;
