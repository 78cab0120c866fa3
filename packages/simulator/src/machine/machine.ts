/**
 * The inside of one simulated container: its processes, files, memory, and its part of the pod's network. It knows nothing of CRI; the
 * container record starts process 1 in it and waits for that to end.
 */
import type { Clock, Instant, Milliseconds } from '@podscope/trace';
import type { Credentials } from '../kernel/credentials.ts';
import type { Namespaces } from '../kernel/kernel.ts';
import type { PidNamespace } from '../kernel/pid-namespace.ts';
import { ProcFiles, SysFiles } from '../kernel/proc-files.ts';
import type { NetworkStack } from '../network.ts';
import type { Random } from '../random.ts';
import type { FileSystem } from './file-system.ts';
import { Process, type ProcessOptions, type Program } from './process.ts';
import type { SignalName } from './signals.ts';

/** Why a program can't be run. */
export type LookupFailure = 'not found' | 'permission denied';

/** What a container may use at most; 0 and undefined stand for no limit. */
export interface MachineLimits {
  /** Microseconds. */
  readonly cpuPeriod?: number;
  /** Microseconds in each period. */
  readonly cpuQuota?: number;
  readonly cpuShares?: number;
  readonly memoryLimitInBytes?: number;
}

export interface MachineOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly network: NetworkStack;
  /** Who answers to a host name or address. */
  readonly resolveHost: (host: string) => NetworkStack | undefined;
  readonly hostname: string;
  readonly credentials: Credentials;
  readonly namespaces: Namespaces;
  readonly pidNamespace: PidNamespace;
  /** The kernel's parameters, by name with dots. */
  readonly sysctls: Map<string, string>;
  /** Asked at every step: limits may change while the container runs. */
  readonly limits: () => MachineLimits;
  /** Bytes the whole node has. */
  readonly nodeMemory: number;
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
  readonly credentials: Credentials;
  readonly namespaces: Namespaces;
  readonly pidNamespace: PidNamespace;
  readonly sysctls: Map<string, string>;
  readonly nodeMemory: number;
  readonly startedAt: Instant;
  /** True once a process was killed for want of memory; stays so, as the engine's flag does. */
  oomKilled = false;
  readonly #options: MachineOptions;
  /** The container's own; its PID namespace may hold others. */
  readonly #processes = new Set<Process>();
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
    this.credentials = options.credentials;
    this.namespaces = options.namespaces;
    this.pidNamespace = options.pidNamespace;
    this.sysctls = options.sysctls;
    this.nodeMemory = options.nodeMemory;
    this.startedAt = options.clock.now();
    this.#cpuTimeAt = this.startedAt;
    this.files.show('/proc', new ProcFiles(this));
    this.files.show('/sys', new SysFiles(this));
  }

  get init(): Process | undefined {
    return this.#init;
  }

  get processes(): readonly Process[] {
    return [...this.#processes];
  }

  get limits(): MachineLimits {
    return this.#options.limits();
  }

  /** The most memory the processes may use together. */
  get memoryLimit(): number {
    return this.limits.memoryLimitInBytes || this.nodeMemory;
  }

  get usedMemory(): number {
    let sum = 0;
    for (const process of this.#processes) sum += process.memory;
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
    for (const process of this.#processes) cpus += 0.0005 + process.cpu;
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
    if (!this.#init) this.pidNamespace.enter();
    const process = this.pidNamespace.join((pid) => new Process(this, pid, options));
    for (const signal of options.parent?.ignoredSignals ?? []) process.handle(signal, 'ignore');
    this.#processes.add(process);
    if (!this.#init) {
      this.#init = process;
      void process.run(async (self) => {
        await self.sleep(startupTime);
        return program(self);
      });
    } else void process.run(program);
    return process;
  }

  /** Called by a process that has ended. */
  reap(process: Process): void {
    this.#processes.delete(process);
    this.network.releaseAll(process);
    if (process === this.#init) for (const other of this.#processes) other.killTree();
    this.pidNamespace.leave(process);
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
