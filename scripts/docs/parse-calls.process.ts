/**
 * Parses calls of Podscope's programs with the programs' own code, without running the commands. For this, `parseArgs`
 * is replaced by a function that throws after it has accepted the arguments. Runs in a separate process, because it
 * changes a module of Node.js. Receives a list of {@link Call} as a message. Responds with the problem of each invalid
 * call.
 */

import { syncBuiltinESMExports } from 'node:module';
import util from 'node:util';
import { benches } from '../../apps/lab/src/bench/benches.ts';
import type { Commands } from '../../packages/command-line/src/index.ts';

/** A call of a program, which is `cli`, `kubectl`, `lab` or `package`. */
export interface Call {
  readonly program: string;
  readonly words: readonly string[];
}

class Accepted extends Error {}

const { parseArgs } = util;
let isAccepted = false;
// The type of parseArgs is generic, so the replacement can't be assigned to it directly.
Object.assign(util, {
  parseArgs(config: Parameters<typeof parseArgs>[0]): never {
    parseArgs(config);
    isAccepted = true;
    throw new Accepted();
  },
});
syncBuiltinESMExports();

const lists: Readonly<Record<string, () => Promise<Commands>>> = {
  cli: async () => (await import('../../apps/cli/src/commands.ts')).commands,
  kubectl: async () => (await import('../../apps/cli/src/kubectl/commands.ts')).kubectlCommands,
  lab: async () => (await import('../../apps/lab/src/commands.ts')).commands,
  package: async () => (await import('../../apps/package/src/commands.ts')).packageCommands,
};

/** Returns the problem of a call; an empty text if the call is valid. */
async function problemOf({ program, words: [name = '', ...args] }: Call): Promise<string> {
  const command = (await lists[program]?.())?.[name];
  if (!command) return `no command ${name}`;
  if (args.includes('--help')) return '';
  if (program === 'lab' && name === 'bench') {
    if (!Object.hasOwn(benches, args[0] ?? '')) return `no benchmark ${args[0]}`;
    // Don't check a benchmark without options, because it may start before it parses its options.
    if (args.length === 1) return '';
  }
  isAccepted = false;
  try {
    await (await command.load()).run(args);
    return '';
  } catch (error) {
    return isAccepted ? '' : error instanceof Error ? error.message : String(error);
  }
}

process.on('message', (calls: readonly Call[]) => {
  void (async () => {
    const problems: string[] = [];
    for (const call of calls) problems.push(await problemOf(call));
    process.send?.(problems, () => process.exit(0));
  })();
});
