/** Implements `bench NAME`: runs one of the benchmarks. */
import { type CommandBody, helpOf, UsageError } from '@podscope/command-line';
import { benches } from './benches.ts';

export const command: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench NAME [options]

NAME is one of: ${Object.keys(benches).join(', ')}. bench NAME --help describes one.`,
  examples: [
    ['bench engine', 'Measure the engine'],
    ['bench ui --help', 'Describe one benchmark'],
  ],
  hasHelpOfParts: true,
  async run([name, ...args]) {
    const load = name !== undefined && Object.hasOwn(benches, name) ? benches[name] : undefined;
    if (!load)
      throw new UsageError(
        'bench takes one of ' +
          `${Object.keys(benches).join(', ')}${name === undefined ? '' : `, not ${JSON.stringify(name)}`}`,
      );
    const bench = await load();
    if (!args.includes('--help')) return bench.run(args);
    console.log(helpOf(bench, 'npx -y pnpm@12'));
    return 0;
  },
};
