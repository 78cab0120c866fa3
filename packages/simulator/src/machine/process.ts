/** One process of a simulated container: a program that runs on the clock and can be signalled. */
import { type Milliseconds, sleep } from '@podscope/trace';
import type { Machine } from './machine.ts';
import { exitCodeOf, ignoredByDefault, type SignalName } from './signals.ts';
import { BrokenPipeError, type Input, type Output } from './streams.ts';

/** What a process does. Its promise's value is the exit code. */
export type Program = (process: Process) => Promise<number> | number;

/** Raised at the waiting points of a program whose process has ended. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}

/** Raised by a program to end its own process. */
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

type Handler = 'ignore' | (() => void);

/** How many things a program may do without waiting before it is made to wait: a busy loop takes time, here too. */
const freeActions = 200;
const longestSpinPause: Milliseconds = 1000;

export class Process {
  readonly machine: Machine;
  readonly pid: number;
  argv: readonly string[];
  env: ReadonlyMap<string, string>;
  readonly parent: Process | undefined;
  cwd: string;
  stdin: Input;
  stdout: Output;
  stderr: Output;
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

  constructor(machine: Machine, pid: number, options: ProcessOptions) {
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

  /** The name the program was called by, without its directory. */
  get name(): string {
    return (this.argv[0] ?? '').replace(/^.*\//, '');
  }

  get args(): readonly string[] {
    return this.argv.slice(1);
  }

  /** CPUs in use: what the program says, and one for a loop that never waits. */
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

  /** Process 1 of a PID namespace: the kernel spares it every signal it has no handler for. */
  get isInit(): boolean {
    return this.pid === 1;
  }

  adopt(child: Process): void {
    this.#children.add(child);
  }

  /** The process goes on as another program (exec). */
  become(argv: readonly string[], env: ReadonlyMap<string, string>): void {
    this.argv = argv;
    this.env = env;
  }

  /** Runs the program; called once, by the machine. */
  async run(program: Program): Promise<void> {
    try {
      this.exit(await program(this));
    } catch (error) {
      this.exit(this.#codeOf(error));
    }
  }

  /** Waits on the clock. */
  async sleep(ms: Milliseconds): Promise<void> {
    this.#actions = 0;
    this.#spinPause = 1;
    this.#spin(false);
    await this.#wait(ms);
  }

  /** Never comes back while the process lives. */
  forever(): Promise<never> {
    return this.until(new Promise<never>(() => undefined));
  }

  /** Waits for `promise`, or for the end of this process. */
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

  /** Counts one action. A program that acts and acts without ever waiting is made to wait: longer and longer, up to a second. */
  async act(): Promise<void> {
    this.check();
    this.#actions++;
    if (this.#actions < freeActions) return;
    this.#actions = 0;
    this.#spin(true);
    await this.#wait(this.#spinPause);
    this.#spinPause = Math.min(this.#spinPause * 2, longestSpinPause);
  }

  /** @throws ProcessEndedError when the process has ended. */
  check(): void {
    if (!this.alive) throw this.#end.signal.reason as Error;
  }

  handle(signal: SignalName, handler: Handler | undefined): void {
    if (handler === undefined) this.#handlers.delete(signal);
    else this.#handlers.set(signal, handler);
  }

  /** What children start with too. */
  get ignoredSignals(): readonly SignalName[] {
    return [...this.#handlers].filter(([, handler]) => handler === 'ignore').map(([signal]) => signal);
  }

  /** Delivers a signal. `fromOutside`: from an ancestor PID namespace, whose SIGKILL not even process 1 survives. */
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

  /** Ends the process by a signal, whatever it has said about it. */
  die(signal: SignalName): void {
    if (!this.alive) return;
    this.#endedBy = signal;
    this.exit(exitCodeOf(signal));
  }

  /** The signal that ended it, if one did. */
  get endedBy(): SignalName | undefined {
    return this.#endedBy;
  }

  /** Ends the process now. */
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

  /** Ends the process and everything it started. */
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
    // A program that can't go on says so and fails, as any program would; the run goes on.
    if (this.alive) this.stderr.write(`${this.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
