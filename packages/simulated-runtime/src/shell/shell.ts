/** Runs shell scripts in a simulated process. It is the `sh` of the simulated images. */
import { FileError } from '../machine/file-system.ts';
import { ExitError, type Process, type Program } from '../machine/process.ts';
import { exitCodeOf, type SignalName } from '../machine/signals.ts';
import { emptyInput, type Input, TextOutput } from '../machine/streams.ts';
import { type Builtin, builtins } from './builtins.ts';
import { type CommandRunner, runCompound, runPipeline } from './compound.ts';
import { Jump, ReplaceError, type Streams } from './control.ts';
import { expandText, expandWords } from './expansion/expansion.ts';
import { parseScript } from './parse/parser.ts';
import { type Command, type Redirect, type Sequence, ShellSyntaxError, type SimpleCommand } from './parse/syntax.ts';
import { type RedirectedStreams, redirect } from './redirection.ts';
import { ShellState } from './shell-state.ts';

/** The messages that a shell prints when a signal has ended a command, by signal. */
const signalMessages: Readonly<Partial<Record<SignalName, string>>> = {
  KILL: 'Killed\n',
  TERM: 'Terminated\n',
  SEGV: 'Segmentation fault\n',
  ABRT: 'Aborted\n',
  HUP: 'Hangup\n',
  QUIT: 'Quit\n',
};

/**
 * Returns the longest beginning of `text` that consists of whole lines and parses as a script; empty if it contains no
 * complete command.
 */
function completeLines(text: string): string {
  for (let end = text.lastIndexOf('\n'); end >= 0; end = end === 0 ? -1 : text.lastIndexOf('\n', end - 1)) {
    const part = text.slice(0, end + 1);
    try {
      parseScript(part);
      return part;
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
    }
  }
  return '';
}

export class Shell extends ShellState implements CommandRunner {
  /** How many command substitutions have run. An assignment has the exit code of the last substitution in it. */
  #substitutions = 0;
  /** Greater than 0 while a command is a condition, for which errexit is ignored. */
  #conditions = 0;

  /** Runs a script as the program of this process. Returns the exit code when it ends. */
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

  /**
   * Prompts for commands and runs each line until `exit` or the end of the input. A failed command doesn't end the
   * shell.
   */
  async interactive(input: Input): Promise<number> {
    const streams = this.#streams();
    const prompt = async (): Promise<string | undefined> => {
      streams.stdout.write(`${this.cwd} ${this.process.machine.credentials.uid === 0 ? '#' : '$'} `);
      return this.process.until(input.read());
    };
    for (let line = await prompt(); line !== undefined; line = await prompt()) {
      try {
        this.lastStatus = await this.runSequence(parseScript(line), streams);
      } catch (error) {
        if (error instanceof ReplaceError) return this.#replace(error);
        if (error instanceof ExitError) return this.#runExitTrap(error.code);
        if (!(error instanceof ShellSyntaxError)) throw error;
        this.#report(error, streams);
        this.lastStatus = 2;
      }
    }
    return this.#runExitTrap(this.lastStatus);
  }

  /** Reads a script from a pipe. Runs each complete command as soon as it has arrived. Returns the exit code. */
  async readScript(input: Input): Promise<number> {
    let pending = '';
    for (;;) {
      const piece = await this.process.until(input.read());
      pending += piece ?? '';
      const complete = piece === undefined ? pending : completeLines(pending);
      if (complete !== '') {
        pending = pending.slice(complete.length);
        const code = await this.#runPart(complete);
        if (code !== undefined) return code;
      }
      if (piece === undefined) return this.#runExitTrap(this.lastStatus);
    }
  }

  /** Runs a part of a script. Returns the exit code if the shell has to end; otherwise undefined. */
  async #runPart(text: string): Promise<number | undefined> {
    try {
      await this.runText(text, this.#streams());
      return undefined;
    } catch (error) {
      if (error instanceof ReplaceError) return this.#replace(error);
      if (error instanceof ExitError) return this.#runExitTrap(error.code);
      throw error;
    }
  }

  /**
   * Parses and runs a script.
   * @throws ExitError with code 2 when it can't be parsed
   */
  async runText(text: string, streams: Streams): Promise<number> {
    try {
      return await this.runSequence(parseScript(text), streams);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      this.#report(error, streams);
      throw new ExitError(2);
    }
  }

  async runSequence(sequence: Sequence, streams: Streams): Promise<number> {
    let status = 0;
    for (const { command, background } of sequence.items) {
      if (background) {
        const job = this.fork({ ...streams, stdin: emptyInput }, (shell, inner) => shell.run(command, inner));
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
    switch (command.kind) {
      case 'simple':
        return this.settle(await this.#runSimple(command, streams));
      case 'compound':
        return this.#redirected(command.redirects, streams, (inner) => runCompound(this, command.command, inner));
      case 'function':
        this.functions.set(command.name, command.body);
        return 0;
      case 'pipeline':
        return runPipeline(this, command.commands, command.negated, streams);
      default:
        return this.#andOr(command.kind, command.left, command.right, streams);
    }
  }

  /** Runs a program as a child process and returns its exit code. */
  async runProgram(
    argv: readonly string[],
    streams: Streams,
    extra: ReadonlyMap<string, string> = new Map(),
  ): Promise<number> {
    const { machine } = this.process;
    const env = new Map([...this.environment(), ...extra]);
    const program = await machine.lookup({ argv, cwd: this.cwd, env });
    if (typeof program === 'string') {
      streams.stderr.write(`${this.name}: ${argv[0]}: ${program === 'not found' ? program : 'Permission denied'}\n`);
      return program === 'not found' ? 127 : 126;
    }
    const child = machine.spawn(program, { argv, env, cwd: this.cwd, ...streams, parent: this.process });
    const status = await this.waitFor(child);
    if (child.endedBy) streams.stderr.write(signalMessages[child.endedBy] ?? '');
    await this.runTraps(streams);
    return status;
  }

  /**
   * Waits for background jobs. If a signal with a trap arrives, the wait ends early with the exit code 128 plus the
   * signal's number.
   */
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
    await this.runTraps(this.#streams());
    return signal === undefined ? status : exitCodeOf(signal);
  }

  async substitute(script: Sequence): Promise<string> {
    const output = new TextOutput();
    this.#substitutions++;
    const child = this.fork({ ...this.#streams(), stdout: output }, (shell, inner) => shell.runSequence(script, inner));
    this.lastStatus = await this.waitFor(child);
    return output.text;
  }

  fork(streams: Streams, body: (shell: CommandRunner, streams: Streams) => Promise<number>): Process {
    const inherited = this.inherited();
    const program: Program = async (process) => {
      const shell = new Shell(process, inherited);
      Object.assign(shell.options, this.options);
      shell.lastStatus = this.lastStatus;
      try {
        return await body(shell, shell.#streams());
      } catch (error) {
        if (error instanceof ReplaceError) return shell.#replace(error);
        if (error instanceof Jump) return shell.lastStatus;
        throw error;
      }
    };
    return this.process.machine.spawn(program, {
      argv: this.process.argv,
      env: this.environment(),
      cwd: this.cwd,
      ...streams,
      parent: this.process,
    });
  }

  waitFor(child: Process): Promise<number> {
    return this.process.until(child.exited);
  }

  async runTraps(streams: Streams): Promise<void> {
    for (let action = this.traps.take(); action !== undefined; action = this.traps.take()) {
      const status = this.lastStatus;
      await this.runText(action, streams);
      this.lastStatus = status;
    }
  }

  async asCondition(body: () => Promise<number>): Promise<number> {
    this.#conditions++;
    try {
      return await body();
    } finally {
      this.#conditions--;
    }
  }

  settle(status: number): number {
    this.lastStatus = status;
    if (status !== 0 && this.options.errexit && this.#conditions === 0) throw new ExitError(status);
    return status;
  }

  setStatus(status: number): number {
    this.lastStatus = status;
    return status;
  }

  #streams(): Streams {
    const { stdin, stdout, stderr } = this.process;
    return { stdin, stdout, stderr };
  }

  #report(error: Error, streams: Streams): void {
    streams.stderr.write(`${this.name}: ${error.message}\n`);
  }

  async #replace({ program, argv }: ReplaceError): Promise<number> {
    this.traps.reset();
    this.process.become(argv, this.environment());
    return program(this.process);
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

  async #andOr(kind: 'and' | 'or', left: Command, right: Command, streams: Streams): Promise<number> {
    const status = await this.asCondition(() => this.run(left, streams));
    this.lastStatus = status;
    return (status === 0) === (kind === 'and') ? this.run(right, streams) : status;
  }

  async #runSimple(command: SimpleCommand, streams: Streams): Promise<number> {
    if (this.traps.first) await this.runTraps(streams);
    let fields: string[];
    try {
      fields = await expandWords(this, command.words);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      this.#report(error, streams);
      throw new ExitError(2);
    }
    if (this.options.xtrace)
      streams.stderr.write(`+ ${[...command.assignments.map(({ name }) => `${name}=…`), ...fields].join(' ')}\n`);
    const [name, ...args] = fields;
    const extra = new Map<string, string>();
    const substitutions = this.#substitutions;
    for (const assignment of command.assignments) {
      const value = await expandText(this, assignment.value);
      if (name === undefined) this.set(assignment.name, value);
      else extra.set(assignment.name, value);
    }
    // `$?` is reset only after the values were expanded, because a value may contain `$?`, the exit code of the
    // previous command.
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

  /** Sets the variables of `extra`, runs `body`, and restores the previous values. */
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

  async #redirected(
    redirects: readonly Redirect[],
    streams: Streams,
    body: (streams: Streams) => Promise<number>,
  ): Promise<number> {
    if (redirects.length === 0) return body(streams);
    let redirected: RedirectedStreams;
    try {
      redirected = await redirect(this, this.process, redirects, streams);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.#report(error, streams);
      return this.settle(1);
    }
    try {
      return await body(redirected.streams);
    } finally {
      if (this.process.alive) await redirected.settled();
    }
  }
}
