/** Finds the command that was called, runs it and sets the exit code of the process. */
import { type CommandBody, type Commands, UsageError } from './command.ts';
import { unsupportedNode } from './node-version.ts';
import { report } from './output.ts';

/** A command-line program: its commands, and the text that users type to call it. */
export interface Program {
  /** The prefix of error messages: `podscope`. */
  readonly name: string;
  /** The text that calls the program, without the command: `npx -y pnpm@12 podscope`. */
  readonly call: string;
  readonly commands: Commands;
  /** The version that `--version` prints. */
  readonly version?: string;
  /** The command that runs when none is named. If absent, the program prints its help. */
  readonly defaultCommand?: string;
  /** Returns the explanation for a command that this program doesn't have but another program has. */
  readonly redirect?: (command: string) => string | undefined;
}

/**
 * Runs the command that `process.argv` names and sets `process.exitCode`: 0 success, 1 failure, 2 usage error.
 * A closed stdout (`… | head`) isn't an error.
 */
export async function runProgram(program: Program): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const problem = unsupportedNode(process.version);
  if (problem !== undefined) {
    report(`${program.name}: ${problem}`);
    process.exitCode = 1;
    return;
  }
  try {
    process.exitCode = await runCommand(program, process.argv.slice(2));
  } catch (error) {
    report(`${program.name}: ${describe(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/**
 * Runs one command.
 * @param words the name of the command and its arguments; `--help` prints help instead
 * @returns the exit code
 * @throws UsageError for an unknown command
 */
export async function runCommand(program: Program, words: readonly string[]): Promise<number> {
  const [first] = words;
  if (first === '--help' || first === 'help') {
    console.log(overview(program));
    return 0;
  }
  if (first === '--version' && program.version !== undefined) {
    console.log(program.version);
    return 0;
  }
  const fallback = first === undefined || first.startsWith('-') ? program.defaultCommand : undefined;
  const [name, ...args] = fallback === undefined ? words : [fallback, ...words];
  if (name === undefined) {
    console.log(overview(program));
    return 2;
  }
  const listed = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
  if (!listed) throw new UsageError(program.redirect?.(name) ?? unknownCommand(name));
  const command = await listed.load();
  // `pnpm NAME -- --flag` passes the `--` on to the program.
  const rest = args[0] === '--' ? args.slice(1) : args;
  if (rest.includes('--help') && !(command.hasHelpOfParts && rest[0] !== '--help')) {
    console.log(helpOf(command, program.call));
    return 0;
  }
  return command.run(rest);
}

/**
 * Returns the help of a command with its examples.
 * @param call how the program is called
 */
export function helpOf({ help, examples }: CommandBody, call: string): string {
  const rows = examples.flatMap(([example, purpose]) => [`  # ${purpose}`, `  ${call} ${example}`]);
  return [help.trimEnd(), '', 'Examples:', ...rows].join('\n');
}

const unknownCommand = (name: string): string => `unknown command ${JSON.stringify(name)} (--help lists all commands)`;

function overview({ call, commands }: Program): string {
  const rows = Object.values(commands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return [
    `Usage: ${call} COMMAND [arguments]`,
    '',
    'Commands:',
    ...rows,
    '',
    'COMMAND --help explains one command.',
  ].join('\n');
}

function describe(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
