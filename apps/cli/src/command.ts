/** What a command of the command line is. */

/** One command. Its module is loaded only when it is asked for. */
export interface Command {
  /** How it is called: `conformance [DIR] [options]`. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  /** The whole help, printed for `--help`. */
  readonly help: string;
  /**
   * Runs it. Results go to stdout, what is about the run itself to stderr.
   * @returns the exit code: 0 success, 1 the answer is no or something failed, 2 a usage error
   * @throws UsageError for arguments that cannot be followed
   */
  run(args: readonly string[]): Promise<number>;
}

/** Arguments that cannot be followed; the message is one line for the person who typed them. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
