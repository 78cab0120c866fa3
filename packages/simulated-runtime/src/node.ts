/**
 * Simulates the node: clock, random numbers, images, network, files and faults. The services of the runtime share it.
 */
import { createRandom, type Random, readImageReference } from '@podscope/base';
import { defaultSandboxImages } from '@podscope/cri';
import { type Clock, type Context, type Milliseconds, sleep } from '@podscope/trace';
import { type LogFiles, ShownLogFiles } from './containers/log-files.ts';
import { Faults } from './faults.ts';
import { ImageStore } from './images/image-store.ts';
import { Registries } from './images/registry.ts';
import { Kernel } from './kernel/kernel.ts';
import { type HostFiles, MemoryHostFiles } from './machine/host-files.ts';
import { PodNetwork } from './network/pod-network.ts';
import { defaultLatencies, type Latencies, type Operation } from './operations.ts';
import {
  defaultEngineApiVersion,
  defaultImages,
  defaultIpRange,
  defaultName,
  defaultNodeIp,
  defaultNodeMemory,
  type SimulatorOptions,
} from './options.ts';

/** The directory of checkpoint files in `hostFiles`. Upstream: dockershim's root directory (v1.20). */
const checkpointDirectory = '/var/lib/dockershim/sandbox';

export class SimulatedNode {
  readonly clock: Clock;
  readonly random: Random;
  readonly latencies: Latencies;
  readonly registries: Registries;
  readonly images = new ImageStore();
  readonly network: PodNetwork;
  readonly hostFiles: HostFiles;
  readonly logFiles: LogFiles;
  readonly kernel = new Kernel();
  readonly faults: Faults;
  /** The release whose dockershim the simulator imitates. */
  readonly release: NonNullable<SimulatorOptions['release']>;
  readonly sandboxImage: string;
  /** The value of the label by which the runtime recognizes its containers. */
  readonly instance: string;
  /** API version of the simulated Docker engine. */
  readonly engineApiVersion: string;
  /** Memory of the node in bytes. */
  readonly nodeMemory: number;
  readonly runtimeHandlers: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  networkReady = true;
  readonly #ids: Random;
  readonly #execIds: Random;
  readonly #jitter: Random;

  /** @throws RangeError when an option is invalid */
  constructor(options: SimulatorOptions) {
    this.clock = options.clock;
    this.random = options.random ?? createRandom(1);
    // Separate sequences of random numbers keep runs comparable: an additional call doesn't change ids, and an
    // additional container doesn't change latencies.
    this.#ids = this.random.fork('ids');
    this.#execIds = this.random.fork('execIds');
    this.#jitter = this.random.fork('latencies');
    this.faults = new Faults(this.random.fork('faults'), options.faults);
    this.latencies = options.latencies ?? defaultLatencies;
    this.registries = new Registries(options.registries ?? [], options.clock, this.random.fork('registries'));
    this.network = new PodNetwork(options.ipRange ?? defaultIpRange, options.nodeIp ?? defaultNodeIp);
    this.hostFiles = options.hostFiles ?? new MemoryHostFiles();
    this.logFiles = options.logFiles ?? new ShownLogFiles(this.hostFiles);
    this.release = options.release ?? 'v1.36';
    this.sandboxImage = options.sandboxImage ?? defaultSandboxImages[this.release];
    this.instance = options.name ?? defaultName;
    this.engineApiVersion = options.engineApiVersion ?? defaultEngineApiVersion;
    this.nodeMemory = options.nodeMemory ?? defaultNodeMemory;
    this.runtimeHandlers = options.runtimeHandlers ?? [];
    this.scripts = options.scripts ?? {};
    const images = options.images ?? defaultImages;
    for (const image of options.hasSandboxImage === false ? images : [this.sandboxImage, ...images])
      this.addImage(image);
  }

  /**
   * Adds an image to the node without a pull.
   * @throws RangeError when no registry has it
   */
  addImage(text: string): void {
    const reference = readImageReference(text);
    const definition = reference && this.registries.definitionOf(reference);
    if (!reference || !definition)
      throw new RangeError(`image ${JSON.stringify(text)} can't be added: no simulated registry has it`);
    this.images.add(reference, definition);
  }

  /** Returns the path of a sandbox's checkpoint file. */
  checkpointPath(sandboxId: string): string {
    return `${checkpointDirectory}/${sandboxId}`;
  }

  /** Returns a new container or sandbox id: 64 hexadecimal digits. */
  newId(): string {
    return this.#ids.hex(64);
  }

  /** Returns the id of a command in a container: 64 hexadecimal digits. */
  newExecId(): string {
    return this.#execIds.hex(64);
  }

  /** Waits `ms` milliseconds on the clock. Rejects when the caller cancels. */
  wait(ctx: Context, ms: Milliseconds): Promise<void> {
    return ms > 0 ? sleep(this.clock, ms, ctx.signal) : Promise.resolve();
  }

  /** Returns true if an operation takes no time and no fault is planned for it. */
  isInstant(operation: Operation): boolean {
    return !this.latencies[operation] && !this.faults.isPlanned(operation);
  }

  /**
   * Waits for the latency of `operation`, with a random deviation of up to 20 %.
   * @throws the error of a fault that applies to this call
   */
  async take(ctx: Context, operation: Operation): Promise<void> {
    ctx.signal.throwIfAborted();
    const fault = this.faults.take(operation);
    if (fault) {
      await this.wait(ctx, fault.after ?? 0);
      throw fault.error;
    }
    const latency = this.latencies[operation] ?? 0;
    if (latency > 0) await this.wait(ctx, latency * this.#jitter.between(0.8, 1.2));
  }
}

/** Returns whether `labels` contains every pair in `selector`. */
export function matchesLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>> | undefined,
): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);
}
