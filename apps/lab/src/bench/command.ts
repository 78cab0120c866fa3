/** Implements `bench NAME`: runs one of the benchmarks. */
import { type Command, UsageError } from '@podscope/command-line';
import { benches } from './benches.ts';

export const command: Command = {
  usage: 'bench NAME [options]',
  summary: `Measures: ${Object.keys(benches).join(', ')}.`,
  help: `Usage: npx -y pnpm@12 bench NAME [options]

NAME is one of: ${Object.keys(benches).join(', ')}. bench NAME --help tells about one.`,
  async run([name, ...args]) {
    const load = name !== undefined && Object.hasOwn(benches, name) ? benches[name] : undefined;
    if (!load)
      throw new UsageError(
        `bench takes one of ${Object.keys(benches).join(', ')}${name === undefined ? '' : `, not ${JSON.stringify(name)}`}`,
      );
    const bench = await load();
    if (!args.includes('--help')) return bench.run(args);
    console.log(bench.help);
    return 0;
  },
};
