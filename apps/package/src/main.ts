/** The program that `pnpm build:package` runs. */
import { relative, resolve } from 'node:path';
import { type CommandBody, print, readArguments, report, runProgram, UsageError } from '@podscope/command-line';

const command: CommandBody = {
  help: `Usage: npx -y pnpm@12 build:package [--out DIR]

Builds the npm package podscope-VERSION.tgz, which runs without this repository, and the tarball of the Playwright kit.

  --out DIR   Where to write the tarballs (default: dist/ in this directory).`,
  examples: [
    ['build:package', 'Write the tarballs to dist'],
    ['build:package --out /tmp/podscope', 'Write them to another directory'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(args, { out: { type: 'string', default: 'dist' } }, 'build:package');
    if (positionals.length > 0) throw new UsageError('build:package takes no argument');
    const { buildPackage } = await import('./build-package.ts');
    for (const { path, size } of await buildPackage(resolve(values.out), report))
      print(`${relative(process.cwd(), path)}  ${(size / 1024 ** 2).toFixed(2)} MiB`);
    return 0;
  },
};

await runProgram({
  name: 'podscope',
  call: 'npx -y pnpm@12',
  defaultCommand: 'build:package',
  commands: {
    'build:package': {
      usage: 'build:package [--out DIR]',
      summary: 'Build the npm package and the tarball of the Playwright kit.',
      load: async () => command,
    },
  },
});
