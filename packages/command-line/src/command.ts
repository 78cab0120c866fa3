/** Defines the commands of a command-line program. */

/** The text that a command prints for `--help`, and its action. */
export interface CommandBody {
  /** The help without the examples. */
  readonly help: string;
  /** Working calls with the purpose of each: `[['run pod.yaml', 'Run a pod …']]`. They are printed below the help. */
  readonly examples: readonly (readonly [call: string, purpose: string])[];
  /**
   * Runs the command. Results go to stdout, messages about the command itself to stderr.
   * @returns the exit code: 0 success, 1 a negative answer or a failure, 2 a usage error
   * @throws UsageError for invalid arguments
   */
  run(args: readonly string[]): Promise<number>;
  /** True if `run` prints the help of a part of the command, such as `bench ui --help`. */
  readonly hasHelpOfParts?: true;
}

/** An entry in the list of commands. The module of the command loads only when the command is called. */
export interface Command {
  /** The usage of the command: `conformance [DIR] [options]`. */
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
