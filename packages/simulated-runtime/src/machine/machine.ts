/**
 * Simulates the inside of a container: processes, files, memory and its network stack. It doesn't depend on CRI; the
 * container starts process 1 in it and waits until that process exits.
 */
import { type Random } from '@podscope/base';
import type { Clock, Instant, Milliseconds } from '@podscope/trace';
import type { Credentials } from '../kernel/credentials.ts';
import type { Namespaces, PidNamespace } from '../kernel/pid-namespace.ts';
import { ProcFiles, SysFiles } from '../kernel/proc-files.ts';
import type { NetworkStack } from '../network/pod-network.ts';
import type { FileSystem } from './file-system.ts';
import {
  type Command,
  type LookupFailure,
  type MachineLimits,
  Process,
  type ProcessMachine,
  type ProcessOptions,
  type Program,
} from './process.ts';
import type { SignalName } from './signals.ts';

export interface MachineOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly network: NetworkStack;
  /** Returns the network stack of a host name or address; undefined if it is unknown. */
  readonly resolveHost: (host: string) => NetworkStack | undefined;
  readonly credentials: Credentials;
  readonly namespaces: Namespaces;
  readonly pidNamespace: PidNamespace;
  /** Kernel parameters by dotted name. */
  readonly sysctls: Map<string, string>;
  /** Returns the current limits. Called at every allocation, because limits may change while the container runs. */
  readonly limits: () => MachineLimits;
  /** Memory of the whole node in bytes. */
  readonly nodeMemory: number;
  /** Finds the program that a command line runs. */
  readonly lookup: (machine: ProcessMachine, command: Command) => Promise<Program | LookupFailure>;
}

/** The delay between the start of process 1 and its first action, in ms. */
const startupTime: Milliseconds = 3;

/** The CPU use of an idle process, in CPUs. */
const idleCpu = 0.0005;

export class Machine implements ProcessMachine {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly network: NetworkStack;
  readonly credentials: Credentials;
  readonly namespaces: Namespaces;
  readonly pidNamespace: PidNamespace;
  readonly sysctls: Map<string, string>;
  readonly nodeMemory: number;
  readonly startedAt: Instant;
  oomKilled = false;
  readonly #options: MachineOptions;
  /** The container's own processes. Its PID namespace may contain others. */
  readonly #processes = new Set<Process>();
  #init: Process | undefined;
  /** The CPU time used until `#cpuTimeAt`, in nanoseconds. */
  #cpuTime = 0;
  #cpuTimeAt: number;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.random = options.random;
    this.files = options.files;
    this.network = options.network;
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

  get hostname(): string {
    return this.sysctls.get('kernel.hostname') ?? '';
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

  get memoryLimit(): number {
    return this.limits.memoryLimitInBytes || this.nodeMemory;
  }

  get usedMemory(): number {
    let sum = 0;
    for (const process of this.#processes) sum += process.memory;
    return sum;
  }

  get cpuTime(): number {
    this.chargeCpu();
    return Math.round(this.#cpuTime);
  }

  chargeCpu(): void {
    const now = this.clock.now();
    let cpus = 0;
    for (const process of this.#processes) cpus += idleCpu + process.cpu;
    this.#cpuTime += (now - this.#cpuTimeAt) * cpus * 1e6;
    this.#cpuTimeAt = now;
  }

  resolveHost(host: string): NetworkStack | undefined {
    return host === this.hostname ? this.network : this.#options.resolveHost(host);
  }

  lookup(command: Command): Promise<Program | LookupFailure> {
    return this.#options.lookup(this, command);
  }

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

  reap(process: Process): void {
    this.#processes.delete(process);
    this.network.releaseAll(process);
    if (process === this.#init) for (const other of this.#processes) other.killTree();
    this.pidNamespace.leave(process);
  }

  /** Sends a signal to process 1 from outside of its PID namespace, as a container runtime does. */
  signalInit(signal: SignalName): void {
    this.#init?.signal(signal, true);
  }

  allocate(process: Process, bytes: number): boolean {
    const others = this.usedMemory - process.memory;
    process.memory = bytes;
    if (others + bytes <= this.memoryLimit) return true;
    this.oomKilled = true;
    process.die('KILL');
    return false;
  }
}
