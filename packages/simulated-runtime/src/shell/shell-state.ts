/** Stores the state of a shell: variables, options, functions, jobs and traps. */
import type { FileSystem } from '../machine/file-system.ts';
import type { Process } from '../machine/process.ts';
import type { Command } from './parse/syntax.ts';
import { Traps } from './traps.ts';

/** The state with which a forked shell starts. */
export interface InheritedState {
  readonly variables: ReadonlyMap<string, string>;
  readonly exported: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, Command>;
  readonly name: string;
  readonly positional: readonly string[];
  /** The value of `$$`. In a subshell, it is the PID of the first shell. */
  readonly mainPid: number;
}

/** The length in characters from which a variable counts as memory of the process. */
const largeVariable = 1_000_000;

export class ShellState {
  readonly process: Process;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly functions: Map<string, Command>;
  /** The background processes by PID. */
  readonly jobs = new Map<number, Process>();
  readonly options = { errexit: false, xtrace: false, nounset: false };
  /** The value of `$0`. */
  readonly name: string;
  readonly traps: Traps;
  /** The positional parameters `$1`, `$2`, …. */
  positional: readonly string[];
  /** The value of `$?`. */
  lastStatus = 0;
  /** The process whose PID is `$!`. */
  lastJob: Process | undefined;
  exitTrap: string | undefined;
  readonly #mainPid: number;

  constructor(process: Process, inherited?: InheritedState, name = 'sh', positional: readonly string[] = []) {
    this.process = process;
    this.traps = new Traps(process);
    this.variables = new Map(inherited?.variables ?? process.env);
    this.exported = new Set(inherited?.exported ?? process.env.keys());
    this.functions = new Map(inherited?.functions);
    this.name = inherited?.name ?? name;
    this.positional = inherited?.positional ?? positional;
    this.#mainPid = inherited?.mainPid ?? process.pid;
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

  /** Returns the value of a variable or a special parameter; undefined when it is unset. */
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
    // As in a real shell, a script whose variable grows without end must reach the memory limit.
    if (value.length > largeVariable) this.process.machine.allocate(this.process, 4 * value.length);
    this.process.check();
  }

  /** Returns the exported variables, which are the environment of child processes. */
  environment(): Map<string, string> {
    return new Map(
      [...this.exported].flatMap((name) => (this.variables.has(name) ? [[name, this.variables.get(name) ?? '']] : [])),
    );
  }

  /** Returns the state that a forked shell inherits. */
  protected inherited(): InheritedState {
    return {
      variables: this.variables,
      exported: this.exported,
      functions: this.functions,
      name: this.name,
      positional: this.positional,
      mainPid: this.#mainPid,
    };
  }
}
