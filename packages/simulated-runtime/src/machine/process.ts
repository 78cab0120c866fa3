/** Simulates a process of a container: a program that runs on the clock and receives signals. */
import { errorMessage, type Random } from '@podscope/base';
import { type Clock, type Instant, type Milliseconds, sleep } from '@podscope/trace';
import type { Credentials } from '../kernel/credentials.ts';
import type { Namespaces, PidNamespace } from '../kernel/pid-namespace.ts';
import type { NetworkStack } from '../network/pod-network.ts';
import type { FileSystem } from './file-system.ts';
import { exitCodeOf, ignoredByDefault, type SignalName } from './signals.ts';
import { BrokenPipeError, type Input, type Output } from './streams.ts';

/** The code of a process. Returns the exit code. */
export type Program = (process: Process) => Promise<number> | number;

/** Thrown in a program, wherever it awaits something, after its process has ended. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

/** A program throws it to exit with a code. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

export interface ProcessOptions {
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly parent?: Process;
}

/** A command to execute: its command line, working directory and environment. */
export type Command = Pick<ProcessOptions, 'argv' | 'cwd' | 'env'>;

/** Why a command can't be executed. */
export type LookupFailure = 'not found' | 'permission denied';

/** The resource limits of a container. 0 and undefined mean no limit. */
export interface MachineLimits {
  /** The period of the CPU quota, in microseconds. */
  readonly cpuPeriod?: number;
  /** CPU time per period, in microseconds. */
  readonly cpuQuota?: number;
  readonly cpuShares?: number;
  readonly memoryLimitInBytes?: number;
}

/** The machine in which a process runs, as its program sees it. */
export interface ProcessMachine {
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly network: NetworkStack;
  /** The host name of the pod's UTS namespace. */
  readonly hostname: string;
  readonly credentials: Credentials;
  readonly namespaces: Namespaces;
  readonly pidNamespace: PidNamespace;
  /** Kernel parameters by dotted name. */
  readonly sysctls: Map<string, string>;
  /** Memory of the whole node in bytes. */
  readonly nodeMemory: number;
  readonly startedAt: Instant;
  /** Whether a process was OOM-killed. Stays true until the container is removed. */
  oomKilled: boolean;
  /** Process 1 of the container. */
  readonly init: Process | undefined;
  /** The container's own processes. */
  readonly processes: readonly Process[];
  readonly limits: MachineLimits;
  /** The most memory, in bytes, that all processes together may use. */
  readonly memoryLimit: number;
  readonly usedMemory: number;
  /** CPU time used so far, in nanoseconds. */
  readonly cpuTime: number;
  /** Adds the CPU time used since the last call. It must be called before the CPU use of a process changes. */
  chargeCpu(): void;
  /** Returns the network stack of a host name or address, as seen from this machine; undefined if it is unknown. */
  resolveHost(host: string): NetworkStack | undefined;
  /** Finds the program that `command` runs. */
  lookup(command: Command): Promise<Program | LookupFailure>;
  /** Starts a process. The first one is process 1 of the container; when it exits, all others are killed. */
  spawn(program: Program, options: ProcessOptions): Process;
  /** A process calls it when it has ended. */
  reap(process: Process): void;
  /**
   * Sets the memory of `process`. If that exceeds the limit, the process is OOM-killed. Returns whether the process is
   * still running.
   */
  allocate(process: Process, bytes: number): boolean;
}

type Handler = 'ignore' | (() => void);

/**
 * How many actions a program may perform without waiting. Then it has to wait, so that a busy loop takes simulated
 * time.
 */
const freeActions = 200;
const longestSpinPause: Milliseconds = 1000;

export class Process {
  readonly machine: ProcessMachine;
  readonly pid: number;
  argv: readonly string[];
  env: ReadonlyMap<string, string>;
  readonly parent: Process | undefined;
  cwd: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** The command line to show in place of `argv`. The program sets it. */
  title: string | undefined;
  /** Memory in use, in bytes. */
  memory = 512 * 1024;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  readonly #handlers = new Map<SignalName, Handler>();
  readonly #end = new AbortController();
  readonly #children = new Set<Process>();
  #cpu = 0;
  #spinning = false;
  #exitCode: number | undefined;
  #endedBy: SignalName | undefined;
  #resolve: (code: number) => void = () => undefined;
  #actions = 0;
  #spinPause: Milliseconds = 1;

  constructor(machine: ProcessMachine, pid: number, options: ProcessOptions) {
    this.machine = machine;
    this.pid = pid;
    this.argv = options.argv;
    this.env = new Map(options.env);
    this.cwd = options.cwd;
    this.stdin = options.stdin;
    this.stdout = options.stdout;
    this.stderr = options.stderr;
    this.parent = options.parent;
    this.exited = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    options.parent?.adopt(this);
  }

  /** The first argument without its directory. */
  get name(): string {
    return (this.argv[0] ?? '').replace(/^.*\//, '');
  }

  get args(): readonly string[] {
    return this.argv.slice(1);
  }

  /** The CPUs in use: the number that the program has set, plus one for a loop that never waits. */
  get cpu(): number {
    return this.#cpu + (this.#spinning ? 1 : 0);
  }

  set cpu(cpus: number) {
    this.machine.chargeCpu();
    this.#cpu = cpus;
  }

  get alive(): boolean {
    return this.#exitCode === undefined;
  }

  get children(): readonly Process[] {
    return [...this.#children];
  }

  /** Whether the process is process 1 of its PID namespace. Process 1 receives only the signals that it handles. */
  get isInit(): boolean {
    return this.pid === 1;
  }

  adopt(child: Process): void {
    this.#children.add(child);
  }

  /** Replaces the command line and the environment, as the exec system call does. */
  become(argv: readonly string[], env: ReadonlyMap<string, string>): void {
    this.argv = argv;
    this.env = env;
    this.title = undefined;
  }

  /** Runs the program until it ends. The machine calls it once. */
  async run(program: Program): Promise<void> {
    try {
      this.exit(await program(this));
    } catch (error) {
      this.exit(this.#codeOf(error));
    }
  }

  /** Waits `ms` milliseconds on the clock. */
  async sleep(ms: Milliseconds): Promise<void> {
    this.#actions = 0;
    this.#spinPause = 1;
    this.#spin(false);
    await this.#wait(ms);
  }

  /** Waits until the process ends and then rejects. */
  forever(): Promise<never> {
    return this.until(new Promise<never>(() => undefined));
  }

  /** Returns the value of `promise`. Rejects if the process ends first. */
  async until<T>(promise: Promise<T>): Promise<T> {
    this.check();
    this.#spin(false);
    const ended = Promise.withResolvers<never>();
    const stop = (): void => ended.reject(this.#end.signal.reason as Error);
    this.#end.signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([promise, ended.promise]);
    } finally {
      this.#end.signal.removeEventListener('abort', stop);
    }
  }

  /** Counts an action. A program that never waits is paused, with increasing delays of up to one second. */
  async act(): Promise<void> {
    this.check();
    this.#actions++;
    if (this.#actions < freeActions) return;
    this.#actions = 0;
    this.#spin(true);
    await this.#wait(this.#spinPause);
    this.#spinPause = Math.min(this.#spinPause * 2, longestSpinPause);
  }

  /**
   * Checks that the process is running.
   * @throws ProcessEndedError when it has ended
   */
  check(): void {
    if (!this.alive) throw this.#end.signal.reason as Error;
  }

  handle(signal: SignalName, handler: Handler | undefined): void {
    if (handler === undefined) this.#handlers.delete(signal);
    else this.#handlers.set(signal, handler);
  }

  /** The ignored signals. A child process ignores them, too. */
  get ignoredSignals(): readonly SignalName[] {
    return [...this.#handlers].filter(([, handler]) => handler === 'ignore').map(([signal]) => signal);
  }

  /**
   * Delivers a signal.
   * @param fromOutside whether it comes from a parent PID namespace; SIGKILL then also ends process 1
   */
  signal(signal: SignalName, fromOutside = false): void {
    if (!this.alive || signal === 'STOP') return;
    if (signal === 'KILL') {
      if (!this.isInit || fromOutside) this.die('KILL');
      return;
    }
    const handler = this.#handlers.get(signal);
    if (handler === 'ignore') return;
    if (handler) handler();
    else if (!this.isInit && !ignoredByDefault.has(signal)) this.die(signal);
  }

  /** Ends the process with the exit code of `signal`. No handler is called. */
  die(signal: SignalName): void {
    if (!this.alive) return;
    this.#endedBy = signal;
    this.exit(exitCodeOf(signal));
  }

  /** The signal that ended the process, if any. */
  get endedBy(): SignalName | undefined {
    return this.#endedBy;
  }

  /** Ends the process with `code`. Does nothing if it has already ended. */
  exit(code: number): void {
    if (!this.alive) return;
    this.#exitCode = code & 0xff;
    this.machine.chargeCpu();
    this.memory = 0;
    this.#end.abort(new ProcessEndedError(`process ${this.pid} has exited`));
    this.parent?.forget(this);
    this.machine.reap(this);
    this.#resolve(this.#exitCode);
  }

  /** Kills the process and all its descendants. */
  killTree(): void {
    for (const child of this.#children) child.killTree();
    this.die('KILL');
  }

  forget(child: Process): void {
    this.#children.delete(child);
  }

  #spin(spinning: boolean): void {
    if (spinning === this.#spinning) return;
    this.machine.chargeCpu();
    this.#spinning = spinning;
  }

  async #wait(ms: Milliseconds): Promise<void> {
    this.check();
    await sleep(this.machine.clock, ms, this.#end.signal);
  }

  #codeOf(error: unknown): number {
    if (error instanceof ExitError) return error.code;
    if (error instanceof ProcessEndedError) return this.#exitCode ?? exitCodeOf('KILL');
    if (error instanceof BrokenPipeError) return exitCodeOf('PIPE');
    // An unexpected error fails only the simulated program, and the simulation continues.
    if (this.alive) this.stderr.write(`${this.name}: ${errorMessage(error)}\n`);
    return 1;
  }
}
