/**
 * The inside of one simulated container: its processes, files, memory, and its part of the pod's network. It knows nothing of CRI; the
 * container record starts process 1 in it and waits for that to end.
 */
import type { Clock, Milliseconds } from '@podscope/trace';
import type { NetworkStack } from '../network.ts';
import type { Random } from '../random.ts';
import type { FileSystem } from './file-system.ts';
import { Process, type ProcessOptions, type Program } from './process.ts';
import type { SignalName } from './signals.ts';

/** Why a program can't be run. */
export type LookupFailure = 'not found' | 'permission denied';

export interface MachineOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly network: NetworkStack;
  /** Who answers to a host name or address. */
  readonly resolveHost: (host: string) => NetworkStack | undefined;
  readonly hostname: string;
  readonly user: { readonly uid: number; readonly gid: number };
  /** Bytes; undefined when there is no limit. Asked at every step: a limit may change while the container runs. */
  readonly memoryLimit: () => number | undefined;
  /** Bytes the whole node has. */
  readonly nodeMemory: number;
  /** True when the pod's pause process is process 1 here, and this container's first process one among many. */
  readonly sharedPidNamespace: boolean;
  /** Finds what a name or path runs as. */
  readonly lookup: (machine: Machine, process: Pick<ProcessOptions, 'argv' | 'cwd' | 'env'>) => Promise<Program | LookupFailure>;
}

/** A process needs this long to be on its feet. */
const startupTime: Milliseconds = 3;

export class Machine {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly network: NetworkStack;
  readonly hostname: string;
  readonly user: { readonly uid: number; readonly gid: number };
  /** True once a process was killed for want of memory; stays so, as the engine's flag does. */
  oomKilled = false;
  readonly #options: MachineOptions;
  readonly #processes = new Map<number, Process>();
  #lastPid = 0;
  #init: Process | undefined;
  #cpuTime = 0;
  #cpuTimeAt: number;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.random = options.random;
    this.files = options.files;
    this.network = options.network;
    this.hostname = options.hostname;
    this.user = options.user;
    this.#lastPid = options.sharedPidNamespace ? Math.floor(options.random.between(6, 40)) : 0;
    this.#cpuTimeAt = options.clock.now();
  }

  get init(): Process | undefined {
    return this.#init;
  }

  get processes(): readonly Process[] {
    return [...this.#processes.values()];
  }

  /** The most memory the processes may use together. */
  get memoryLimit(): number {
    return this.#options.memoryLimit() ?? this.#options.nodeMemory;
  }

  get usedMemory(): number {
    let sum = 0;
    for (const process of this.#processes.values()) sum += process.memory;
    return sum;
  }

  /** CPU time used so far, in nanoseconds. */
  get cpuTime(): number {
    this.chargeCpu();
    return Math.round(this.#cpuTime);
  }

  /** Counts what was used since the last time; called before the use changes. An idle process uses a little. */
  chargeCpu(): void {
    const now = this.clock.now();
    let cpus = 0;
    for (const process of this.#processes.values()) cpus += 0.0005 + process.cpu;
    this.#cpuTime += (now - this.#cpuTimeAt) * cpus * 1e6;
    this.#cpuTimeAt = now;
  }

  /** Who answers to a host name or address, as seen from here. */
  resolveHost(host: string): NetworkStack | undefined {
    return host === this.hostname ? this.network : this.#options.resolveHost(host);
  }

  /** Finds what `argv` runs. */
  lookup(process: Pick<ProcessOptions, 'argv' | 'cwd' | 'env'>): Promise<Program | LookupFailure> {
    return this.#options.lookup(this, process);
  }

  /** Starts a process. The first one is the container's own: when it ends, all do. */
  spawn(program: Program, options: ProcessOptions): Process {
    this.chargeCpu();
    const process = new Process(this, ++this.#lastPid, options);
    for (const signal of options.parent?.ignoredSignals ?? []) process.handle(signal, 'ignore');
    this.#processes.set(process.pid, process);
    if (!this.#init) {
      this.#init = process;
      void process.run(async (self) => {
        await self.sleep(startupTime);
        return program(self);
      });
    } else void process.run(program);
    return process;
  }

  process(pid: number): Process | undefined {
    return this.#processes.get(pid);
  }

  /** Called by a process that has ended. */
  reap(process: Process): void {
    this.#processes.delete(process.pid);
    this.network.releaseAll(process);
    if (process === this.#init) for (const other of this.#processes.values()) other.killTree();
  }

  /** Signals the container's first process from outside, as the runtime does. */
  signalInit(signal: SignalName): void {
    this.#init?.signal(signal, true);
  }

  /** Gives `process` that much memory, or ends it as the kernel does when there is no more. Answers whether it lives. */
  allocate(process: Process, bytes: number): boolean {
    const others = this.usedMemory - process.memory;
    process.memory = bytes;
    if (others + bytes <= this.memoryLimit) return true;
    this.oomKilled = true;
    process.die('KILL');
    return false;
  }
}
