/** The simulated node: what its services share. */
import { type Clock, type Context, type Milliseconds, sleep } from '@podscope/trace';
import type { ContainerRecord } from './container-record.ts';
import { EventHub } from './event-hub.ts';
import { Faults } from './faults.ts';
import { type HostFiles, MemoryHostFiles } from './host-files.ts';
import { ImageStore } from './images/image-store.ts';
import { parseReference } from './images/reference.ts';
import { Registries } from './images/registry.ts';
import { Kernel } from './kernel/kernel.ts';
import { type LogFiles, ShownLogFiles } from './log-files.ts';
import { PodNetwork } from './network.ts';
import {
  defaultImages,
  defaultIpRange,
  defaultLatencies,
  defaultNodeIp,
  defaultNodeMemory,
  defaultSandboxImage,
  type Latencies,
  type Operation,
  type SimulatorOptions,
} from './options.ts';
import { createRandom, type Random } from './random.ts';
import type { SandboxRecord } from './sandbox-record.ts';

export class SimulatedNode {
  readonly clock: Clock;
  readonly random: Random;
  readonly latencies: Latencies;
  readonly registries: Registries;
  readonly images = new ImageStore();
  readonly network: PodNetwork;
  readonly hostFiles: HostFiles;
  readonly logFiles: LogFiles;
  readonly events = new EventHub();
  readonly kernel = new Kernel();
  readonly faults: Faults;
  readonly sandboxImage: string;
  readonly nodeMemory: number;
  readonly runtimeHandlers: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  /** Newest last. */
  readonly sandboxes = new Map<string, SandboxRecord>();
  readonly containers = new Map<string, ContainerRecord>();
  networkReady = true;
  readonly #ids: Random;
  readonly #jitter: Random;

  /** @throws RangeError when an option makes no sense. */
  constructor(options: SimulatorOptions) {
    this.clock = options.clock;
    this.random = options.random ?? createRandom(1);
    // Streams of their own: one more call does not change the ids, one more container not the latencies.
    this.#ids = this.random.fork('ids');
    this.#jitter = this.random.fork('latencies');
    this.faults = new Faults(this.random.fork('faults'), options.faults);
    this.latencies = options.latencies ?? defaultLatencies;
    this.registries = new Registries(options.registries ?? [], options.clock, this.random.fork('registries'));
    this.network = new PodNetwork(options.ipRange ?? defaultIpRange, options.nodeIp ?? defaultNodeIp);
    this.hostFiles = options.hostFiles ?? new MemoryHostFiles();
    this.logFiles = options.logFiles ?? new ShownLogFiles(this.hostFiles);
    this.sandboxImage = options.sandboxImage ?? defaultSandboxImage;
    this.nodeMemory = options.nodeMemory ?? defaultNodeMemory;
    this.runtimeHandlers = options.runtimeHandlers ?? [];
    this.scripts = options.scripts ?? {};
    const images = options.images ?? defaultImages;
    for (const image of options.hasSandboxImage === false ? images : [this.sandboxImage, ...images]) this.addImage(image);
  }

  /** Makes an image present. @throws RangeError when no registry has it. */
  addImage(text: string): void {
    const reference = parseReference(text);
    const definition = reference && this.registries.definitionOf(reference);
    if (!reference || !definition) throw new RangeError(`image ${JSON.stringify(text)} can't be made present: no simulated registry has it`);
    this.images.add(reference, definition);
  }

  /** A container or sandbox id: 64 hexadecimal digits. */
  newId(): string {
    return this.#ids.hex(64);
  }

  /** Waits on the clock, as long as the caller does. */
  wait(ctx: Context, ms: Milliseconds): Promise<void> {
    return ms > 0 ? sleep(this.clock, ms, ctx.signal) : Promise.resolve();
  }

  /**
   * Takes the time an operation takes.
   * @throws the ordered failure, if one waits for it.
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

  containersOf(sandboxId: string): readonly ContainerRecord[] {
    return [...this.containers.values()].filter((container) => container.sandbox.id === sandboxId);
  }
}

/** The message of a failure that is part of another. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** True for an object whose labels contain all of `selector`. */
export function matchesLabels(labels: Readonly<Record<string, string>>, selector: Readonly<Record<string, string>> | undefined): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);
}

/** Waits for `work`, but no longer than the caller does: the work goes on. */
export function until<T>(ctx: Context, work: Promise<T>): Promise<T> {
  const { signal } = ctx;
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
