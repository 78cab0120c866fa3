/** Runs shell scripts in a simulated process: the `sh` of the simulated images. */
import { FileError, type FileSystem } from '../machine/file-system.ts';
import { ExitError, type Process, type Program } from '../machine/process.ts';
import { exitCodeOf, type SignalName } from '../machine/signals.ts';
import { emptyInput, type Input, Pipe, TextOutput } from '../machine/streams.ts';
import { type Builtin, builtins } from './builtins.ts';
import { Jump, ReplaceError, type Streams } from './control.ts';
import { type ExpansionScope, expandPattern, expandText, expandWords } from './expansion.ts';
import { parseScript } from './parser.ts';
import { patternToRegExp } from './pattern.ts';
import { type RedirectedStreams, redirect } from './redirection.ts';
import type { Command, Compound, Redirect, Sequence, SimpleCommand } from './syntax.ts';
import { ShellSyntaxError } from './syntax.ts';
import { Traps } from './traps.ts';

/** What a shell hands down to the shells it forks. */
interface ShellState {
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly functions: Map<string, Command>;
  readonly name: string;
  readonly positional: readonly string[];
  readonly mainPid: number;
}

/** What a shell says of a command that a signal ended. */
const signalMessages: Readonly<Partial<Record<SignalName, string>>> = {
  KILL: 'Killed\n',
  TERM: 'Terminated\n',
  SEGV: 'Segmentation fault\n',
  ABRT: 'Aborted\n',
  HUP: 'Hangup\n',
  QUIT: 'Quit\n',
};

export class Shell implements ExpansionScope {
  readonly process: Process;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly functions: Map<string, Command>;
  /** Children in the background, by pid. */
  readonly jobs = new Map<number, Process>();
  readonly options = { errexit: false, xtrace: false, nounset: false };
  readonly name: string;
  positional: readonly string[];
  lastStatus = 0;
  /** Commands that were run for what they print: the last one's status is that of an assignment. */
  #substitutions = 0;
  lastJob: Process | undefined;
  exitTrap: string | undefined;
  readonly #mainPid: number;
  readonly traps: Traps;
  /** Above 0 while a command's failure is somebody's question, not an error. */
  #questions = 0;

  constructor(process: Process, state?: ShellState, name = 'sh', positional: readonly string[] = []) {
    this.process = process;
    this.traps = new Traps(process);
    this.variables = new Map(state?.variables ?? process.env);
    this.exported = new Set(state?.exported ?? process.env.keys());
    this.functions = new Map(state?.functions);
    this.name = state?.name ?? name;
    this.positional = state?.positional ?? positional;
    this.#mainPid = state?.mainPid ?? process.pid;
  }

  get cwd(): string {
    return this.process.cwd;
  }

  get files(): FileSystem {
    return this.process.machine.files;
  }

  get failOnUnset(): boolean {
    return this.options.nounset;
  }

  get(name: string): string | undefined {
    switch (name) {
      case '?':
        return String(this.lastStatus);
      case '$':
        return String(this.#mainPid);
      case '!':
        return this.lastJob ? String(this.lastJob.pid) : undefined;
      case '#':
        return String(this.positional.length);
      case '-':
        return '';
      case '0':
        return this.name;
      case 'PWD':
        return this.process.cwd;
      case 'RANDOM':
        return String(Math.floor(this.process.machine.random.between(0, 32_768)));
      default:
        return /^\d+$/.test(name) ? this.positional[Number(name) - 1] : this.variables.get(name);
    }
  }

  set(name: string, value: string): void {
    this.variables.set(name, value);
    // A variable that a script lets grow without end costs memory as it would cost a real shell.
    if (value.length > 1_000_000) this.process.machine.allocate(this.process, 4 * value.length);
    this.process.check();
  }

  /** The environment of the commands it starts. */
  environment(): Map<string, string> {
    return new Map([...this.exported].flatMap((name) => (this.variables.has(name) ? [[name, this.variables.get(name) ?? '']] : [])));
  }

  async substitute(script: Sequence): Promise<string> {
    const output = new TextOutput();
    this.#substitutions++;
    this.lastStatus = await this.#wait(this.#fork({ ...this.#streams(), stdout: output }, (shell) => shell.runSequence(script, shell.#streams())));
    return output.text;
  }

  /** Runs a script to its end, as process. Answers the exit code. */
  async main(text: string): Promise<number> {
    let code: number;
    try {
      code = await this.runText(text, this.#streams());
    } catch (error) {
      if (error instanceof ReplaceError) return this.#replace(error);
      if (!(error instanceof ExitError)) throw error;
      code = error.code;
    }
    return this.#runExitTrap(code);
  }

  /** Asks for commands and runs them, one line after the other, until the input's end or `exit`. What fails does not end it. */
  async interactive(input: Input): Promise<number> {
    const streams = this.#streams();
    const ask = async (): Promise<string | undefined> => {
      streams.stdout.write(`${this.cwd} ${this.process.machine.credentials.uid === 0 ? '#' : '$'} `);
      return this.process.until(input.read());
    };
    for (let line = await ask(); line !== undefined; line = await ask()) {
      try {
        this.lastStatus = await this.runSequence(parseScript(line), streams);
      } catch (error) {
        if (error instanceof ReplaceError) return this.#replace(error);
        if (error instanceof ExitError) return this.#runExitTrap(error.code);
        if (!(error instanceof ShellSyntaxError)) throw error;
        streams.stderr.write(`${this.name}: ${error.message}\n`);
        this.lastStatus = 2;
      }
    }
    return this.#runExitTrap(this.lastStatus);
  }

  /** Parses and runs; a script that can't be read fails with 2, as a shell does. */
  async runText(text: string, streams: Streams): Promise<number> {
    try {
      return await this.runSequence(parseScript(text), streams);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      streams.stderr.write(`${this.name}: ${error.message}\n`);
      throw new ExitError(2);
    }
  }

  async runSequence(sequence: Sequence, streams: Streams): Promise<number> {
    let status = 0;
    for (const { command, background } of sequence.items) {
      if (background) {
        const job = this.#fork({ ...streams, stdin: emptyInput }, (shell) => shell.run(command, shell.#streams()));
        this.jobs.set(job.pid, job);
        this.lastJob = job;
        status = 0;
      } else status = await this.run(command, streams);
      this.lastStatus = status;
    }
    return status;
  }

  async run(command: Command, streams: Streams): Promise<number> {
    await this.process.act();
    return this.#dispatch(command, streams);
  }

  /** Runs a program by name, as a child; waits for it. */
  async runProgram(argv: readonly string[], streams: Streams, extra: ReadonlyMap<string, string> = new Map()): Promise<number> {
    const { machine } = this.process;
    const env = new Map([...this.environment(), ...extra]);
    const program = await machine.lookup({ argv, cwd: this.cwd, env });
    if (typeof program === 'string') {
      streams.stderr.write(`${this.name}: ${argv[0]}: ${program === 'not found' ? program : 'Permission denied'}\n`);
      return program === 'not found' ? 127 : 126;
    }
    const child = machine.spawn(program, { argv, env, cwd: this.cwd, ...streams, parent: this.process });
    const status = await this.#wait(child);
    if (child.endedBy) streams.stderr.write(signalMessages[child.endedBy] ?? '');
    await this.#runTraps(streams);
    return status;
  }

  /** Waits for background jobs; a trapped signal cuts it short, answering 128 + its number. */
  async waitForJobs(jobs: readonly Process[]): Promise<number> {
    let status = 0;
    const all = (async () => {
      for (const job of jobs) {
        status = await job.exited;
        this.jobs.delete(job.pid);
      }
    })();
    await this.process.until(Promise.race([all, this.traps.arrival()]));
    const signal = this.traps.first;
    await this.#runTraps(this.#streams());
    return signal === undefined ? status : exitCodeOf(signal);
  }

  #streams(): Streams {
    const { stdin, stdout, stderr } = this.process;
    return { stdin, stdout, stderr };
  }

  async #wait(child: Process): Promise<number> {
    return this.process.until(child.exited);
  }

  /** A child process that runs a part of the script with copies of everything. */
  #fork(streams: Streams, body: (shell: Shell) => Promise<number>): Process {
    const state: ShellState = { ...this.#state() };
    const program: Program = async (process) => {
      const shell = new Shell(process, state);
      Object.assign(shell.options, this.options);
      shell.lastStatus = this.lastStatus;
      try {
        return await body(shell);
      } catch (error) {
        if (error instanceof ReplaceError) return shell.#replace(error);
        if (error instanceof Jump) return shell.lastStatus;
        throw error;
      }
    };
    return this.process.machine.spawn(program, { argv: this.process.argv, env: this.environment(), cwd: this.cwd, ...streams, parent: this.process });
  }

  #state(): ShellState {
    return {
      variables: this.variables,
      exported: this.exported,
      functions: this.functions,
      name: this.name,
      positional: this.positional,
      mainPid: this.#mainPid,
    };
  }

  async #replace({ program, argv }: ReplaceError): Promise<number> {
    this.traps.reset();
    this.process.become(argv, this.environment());
    return program(this.process);
  }

  async #runTraps(streams: Streams): Promise<void> {
    for (let action = this.traps.take(); action !== undefined; action = this.traps.take()) {
      const status = this.lastStatus;
      await this.runText(action, streams);
      this.lastStatus = status;
    }
  }

  async #runExitTrap(code: number): Promise<number> {
    const action = this.exitTrap;
    this.exitTrap = undefined;
    if (!action) return code;
    try {
      this.lastStatus = code;
      await this.runText(action, this.#streams());
    } catch (error) {
      if (error instanceof ExitError) return error.code;
      throw error;
    }
    return code;
  }

  #dispatch(command: Command, streams: Streams): Promise<number> {
    switch (command.kind) {
      case 'simple':
        return this.#simple(command, streams);
      case 'compound':
        return this.#redirected(command.redirects, streams, (inner) => this.#compound(command.command, inner));
      case 'function':
        this.functions.set(command.name, command.body);
        return Promise.resolve(0);
      case 'pipeline':
        return this.#pipeline(command.stages, command.negated, streams);
      default:
        return this.#andOr(command.kind, command.left, command.right, streams);
    }
  }

  async #andOr(kind: 'and' | 'or', left: Command, right: Command, streams: Streams): Promise<number> {
    const status = await this.#ask(() => this.run(left, streams));
    this.lastStatus = status;
    return (status === 0) === (kind === 'and') ? this.run(right, streams) : status;
  }

  /** Runs something whose failure is an answer. */
  async #ask(body: () => Promise<number>): Promise<number> {
    this.#questions++;
    try {
      return await body();
    } finally {
      this.#questions--;
    }
  }

  #settle(status: number): number {
    this.lastStatus = status;
    if (status !== 0 && this.options.errexit && this.#questions === 0) throw new ExitError(status);
    return status;
  }

  async #simple(command: SimpleCommand, streams: Streams): Promise<number> {
    return this.#settle(await this.#runSimple(command, streams));
  }

  async #runSimple(command: SimpleCommand, streams: Streams): Promise<number> {
    if (this.traps.first) await this.#runTraps(streams);
    let fields: string[];
    try {
      fields = await expandWords(this, command.words);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      streams.stderr.write(`${this.name}: ${error.message}\n`);
      throw new ExitError(2);
    }
    if (this.options.xtrace) streams.stderr.write(`+ ${[...command.assignments.map(({ name }) => `${name}=…`), ...fields].join(' ')}\n`);
    const [name, ...args] = fields;
    const extra = new Map<string, string>();
    const substitutions = this.#substitutions;
    for (const assignment of command.assignments) {
      const value = await expandText(this, assignment.value);
      if (name === undefined) this.set(assignment.name, value);
      else extra.set(assignment.name, value);
    }
    // `$?` in the values was that of the command before.
    if (name === undefined && this.#substitutions === substitutions) this.lastStatus = 0;
    const permanent = name === 'exec' && args.length === 0;
    return this.#redirected(command.redirects, streams, (inner) => {
      if (permanent) {
        Object.assign(this.process, inner);
        Object.assign(streams, inner);
      }
      if (name === undefined) return Promise.resolve(this.lastStatus);
      const body = this.functions.get(name);
      if (body) return this.#callFunction(body, args, inner);
      const builtin: Builtin | undefined = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
      if (!builtin) return this.runProgram(fields, inner, extra);
      return this.#withVariables(extra, async () => builtin(this, args, inner));
    });
  }

  /** Runs something under assignments that hold for its time only. */
  async #withVariables(extra: ReadonlyMap<string, string>, body: () => Promise<number>): Promise<number> {
    const before = [...extra.keys()].map((name) => [name, this.variables.get(name)] as const);
    for (const [name, value] of extra) this.set(name, value);
    try {
      return await body();
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) this.variables.delete(name);
        else this.variables.set(name, value);
      }
    }
  }

  async #callFunction(body: Command, args: readonly string[], streams: Streams): Promise<number> {
    const before = this.positional;
    this.positional = args;
    try {
      return await this.run(body, streams);
    } catch (error) {
      if (error instanceof Jump && error.kind === 'return') return this.lastStatus;
      throw error;
    } finally {
      this.positional = before;
    }
  }

  async #pipeline(stages: readonly Command[], negated: boolean, streams: Streams): Promise<number> {
    const [only] = stages;
    let status = 0;
    if (stages.length === 1 && only) status = await this.#ask(() => this.run(only, streams));
    else {
      let stdin = streams.stdin;
      const children = stages.map((stage, index) => {
        const pipe = index < stages.length - 1 ? new Pipe() : undefined;
        const source = stdin;
        if (pipe) stdin = pipe;
        const child = this.#fork({ ...streams, stdin: source, stdout: pipe ?? streams.stdout }, (shell) => shell.run(stage, shell.#streams()));
        void this.#closePipes(child, source, pipe);
        return child;
      });
      for (const child of children) status = await this.#wait(child);
      await this.#runTraps(streams);
    }
    if (negated) {
      this.lastStatus = status === 0 ? 1 : 0;
      return this.lastStatus;
    }
    return this.#settle(status);
  }

  /** What a stage of a pipeline leaves behind: an end for its reader, a broken pipe for its writer. */
  async #closePipes(stage: Process, source: Input, pipe: Pipe | undefined): Promise<void> {
    await stage.exited;
    pipe?.end();
    if (source instanceof Pipe) source.abandon();
  }

  #compound(command: Compound, streams: Streams): Promise<number> {
    switch (command.kind) {
      case 'group':
        return this.runSequence(command.body, streams);
      case 'subshell':
        return this.#subshell(command.body, streams);
      case 'if':
        return this.#if(command, streams);
      case 'loop':
        return this.#loop(streams, command.body, async () => {
          const status = await this.#ask(() => this.runSequence(command.condition, streams));
          return (status === 0) !== command.until;
        });
      case 'for':
        return this.#for(command, streams);
      default:
        return this.#case(command, streams);
    }
  }

  async #subshell(body: Sequence, streams: Streams): Promise<number> {
    const status = await this.#wait(this.#fork(streams, (shell) => shell.runSequence(body, shell.#streams())));
    await this.#runTraps(streams);
    return this.#settle(status);
  }

  async #if({ branches, otherwise }: Compound & { kind: 'if' }, streams: Streams): Promise<number> {
    for (const { condition, body } of branches) {
      if ((await this.#ask(() => this.runSequence(condition, streams))) === 0) return this.runSequence(body, streams);
    }
    return otherwise ? this.runSequence(otherwise, streams) : 0;
  }

  async #for({ name, words, body }: Compound & { kind: 'for' }, streams: Streams): Promise<number> {
    const values = words ? await expandWords(this, words) : [...this.positional];
    return this.#loop(streams, body, () => {
      const value = values.shift();
      if (value !== undefined) this.set(name, value);
      return value !== undefined;
    });
  }

  async #case({ subject, items }: Compound & { kind: 'case' }, streams: Streams): Promise<number> {
    const text = await expandText(this, subject);
    for (const { patterns, body } of items) {
      for (const pattern of patterns) {
        if (patternToRegExp(await expandPattern(this, pattern)).test(text)) return this.runSequence(body, streams);
      }
    }
    return 0;
  }

  async #loop(streams: Streams, body: Sequence, goOn: () => boolean | Promise<boolean>): Promise<number> {
    let status = 0;
    for (;;) {
      await this.process.act();
      try {
        if (!(await goOn())) return status;
        status = await this.runSequence(body, streams);
      } catch (error) {
        if (!(error instanceof Jump) || error.kind === 'return') throw error;
        if (--error.levels > 0) throw error;
        if (error.kind === 'break') return 0;
      }
    }
  }

  async #redirected(redirects: readonly Redirect[], streams: Streams, body: (streams: Streams) => Promise<number>): Promise<number> {
    if (redirects.length === 0) return body(streams);
    let redirected: RedirectedStreams;
    try {
      redirected = await redirect(this, this.process, redirects, streams);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      streams.stderr.write(`${this.name}: ${error.message}\n`);
      return this.#settle(1);
    }
    try {
      return await body(redirected.streams);
    } finally {
      if (this.process.alive) await redirected.settled();
    }
  }
}
