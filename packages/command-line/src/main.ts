/** Finds the command that was called, runs it and sets the exit code of the process. */
import { type Command, type Commands, UsageError } from './command.ts';
import { unsupportedNode } from './node-version.ts';
import { report } from './output.ts';

/** A command-line program: its commands, and how people call it. */
export interface Program {
  /** The prefix of messages about errors: `podscope`. */
  readonly name: string;
  /** How to call it, without the command: `npx -y pnpm@12 podscope`. */
  readonly call: string;
  readonly commands: Commands;
  /** Explains a command that this program doesn't have but another one does. */
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
export async function runCommand(program: Program, [name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === 'help') {
    console.log(await overview(program));
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
  if (!load) throw new UsageError(program.redirect?.(name) ?? unknownCommand(name));
  const command: Command = await load();
  // `pnpm NAME -- --flag` passes the dashes through.
  const words = args[0] === '--' ? args.slice(1) : args;
  if (words.includes('--help')) {
    console.log(command.help);
    return 0;
  }
  return command.run(words);
}

const unknownCommand = (name: string): string => `unknown command ${JSON.stringify(name)} (--help lists all commands)`;

async function overview({ call, commands }: Program): Promise<string> {
  const rows = await Promise.all(
    Object.values(commands).map(async (load) => {
      const { usage, summary } = await load();
      return `  ${usage}\n      ${summary}`;
    }),
  );
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
