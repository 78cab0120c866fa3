/** Defines what a command of a command-line program is. */

/** One command. Its module loads only when the command is called. */
export interface Command {
  /** How to call it: `conformance [DIR] [options]`. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  /** The full help, printed for `--help`. */
  readonly help: string;
  /**
   * Runs the command. Results go to stdout, messages about the command itself to stderr.
   * @returns the exit code: 0 success, 1 a negative answer or a failure, 2 a usage error
   * @throws UsageError for invalid arguments
   */
  run(args: readonly string[]): Promise<number>;
}

/** Maps the name of each command to the function that loads it. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** Invalid arguments. The message is one line for the person who typed them; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
