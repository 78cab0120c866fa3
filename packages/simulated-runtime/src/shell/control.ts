/**
 * Defines the streams of a shell command, and the errors with which a command leaves a loop, a function or the shell.
 */
import type { Program } from '../machine/process.ts';
import type { Input, Output } from '../machine/streams.ts';

/**
 * The three streams of a command. `exec` with redirections and without a command changes them for the commands that
 * follow.
 */
export interface Streams {
  stdin: Input;
  stdout: Output;
  stderr: Output;
}

/** Thrown by `break`, `continue` and `return`. The loop or function that ends catches it. */
export class Jump extends Error {
  override readonly name = 'Jump';
  readonly kind: 'break' | 'continue' | 'return';
  levels: number;

  constructor(kind: 'break' | 'continue' | 'return', levels: number) {
    super(kind);
    this.kind = kind;
    this.levels = levels;
  }
}

/** Thrown by `exec`. The process then runs another program. */
export class ReplaceError extends Error {
  override readonly name = 'ReplaceError';
  readonly program: Program;
  readonly argv: readonly string[];

  constructor(program: Program, argv: readonly string[]) {
    super(`exec ${argv[0]}`);
    this.program = program;
    this.argv = argv;
  }
}
