/** Defines what a command of a command-line program is. */

/** The text that a command prints for `--help`, and its action. */
export interface CommandBody {
  /** The help without the examples. */
  readonly help: string;
  /** Calls that work as they are, with what each does: `[['run pod.yaml', 'Run a pod …']]`. Printed below the help. */
  readonly examples: readonly (readonly [call: string, purpose: string])[];
  /**
   * Runs the command. Results go to stdout, messages about the command itself to stderr.
   * @returns the exit code: 0 success, 1 a negative answer or a failure, 2 a usage error
   * @throws UsageError for invalid arguments
   */
  run(args: readonly string[]): Promise<number>;
}

/** An entry in the list of commands. The module of the command loads only when the command is called. */
export interface Command {
  /** How to call it: `conformance [DIR] [options]`. */
  readonly usage: string;
  /** One sentence for the list of commands. */
  readonly summary: string;
  load(): Promise<CommandBody>;
}

/** Maps names to commands. */
export type Commands = Readonly<Record<string, Command>>;

/** Invalid arguments. The message is one line for the person who typed them; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
