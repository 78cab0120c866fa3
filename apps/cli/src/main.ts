/** What `pnpm podscope`, `pnpm conformance` and the other commands run: finds the command and leaves with its exit code. */
import { UsageError } from './command.ts';
import { commands } from './commands.ts';
import { tell } from './say.ts';

async function overview(): Promise<string> {
  const rows = await Promise.all(
    Object.values(commands).map(async (load) => {
      const { usage, summary } = await load();
      return `  ${usage}\n      ${summary}`;
    }),
  );
  return ['Usage: npx -y pnpm@12 podscope COMMAND [arguments]', '', 'Commands:', ...rows, '', 'COMMAND --help tells all about one.'].join('\n');
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === 'help') {
    console.log(await overview());
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(`unknown command ${JSON.stringify(name)} (--help lists all)`);
  const command = await load();
  // `pnpm NAME -- --flag` hands the dashes on.
  const words = args[0] === '--' ? args.slice(1) : args;
  if (words.includes('--help')) {
    console.log(command.help);
    return 0;
  }
  return command.run(words);
}

// A reader that has left (`… | head`) wants no more, and that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage = error instanceof UsageError;
  tell(`podscope: ${usage ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exitCode = usage ? 2 : 1;
}
