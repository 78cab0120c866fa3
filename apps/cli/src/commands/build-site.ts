/** Implements `build:site`: builds the standalone page into a folder that any file host can serve. */

import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, UsageError } from '@podscope/command-line';
import { pageSizes } from './page-sizes.ts';
import { emptySiteDirectory } from './site-directory.ts';

const webRoot = resolve(import.meta.dirname, '../../../web');
const repository = resolve(webRoot, '../..');

const help = `Usage: npx -y pnpm@12 build:site [--out DIR]

Builds Podscope as a static folder: the page with the whole engine and the simulator, no server. All paths are relative, so that it
can be served from anywhere, also below a sub-path; after the first load it works offline. Links in it: ?scenario=ID&seed=N&profile=v1.20,
?embed for a frame.

Options:
  --out DIR   Where to (default: site/ in the repository). An earlier site in it is replaced; a folder that holds
              anything else is refused.
`;

export const buildSite: Command = {
  usage: 'build:site [--out DIR]',
  summary: 'Build the page with its engine as static files.',
  help,
  async run(args) {
    let out: string | undefined;
    try {
      out = parseArgs({ args: [...args], options: { out: { type: 'string' } }, strict: true }).values.out;
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
    const directory = resolve(out ?? join(repository, 'site'));
    await emptySiteDirectory(directory, { repository, home: homedir() });
    const { build } = await import('vite');
    await build({
      root: webRoot,
      configFile: join(webRoot, 'vite.config.ts'),
      mode: 'site',
      base: './',
      logLevel: 'error',
      build: { outDir: directory, emptyOutDir: false, sourcemap: false },
    });
    const { first, engine, sum } = await pageSizes(directory);
    console.log(`Built ${directory}`);
    console.log(`page: ${sum(first).toFixed(0)} KiB of script before anything optional, gzipped`);
    if (engine !== undefined) console.log(`engine chunk: ${sum([engine]).toFixed(0)} KiB gzipped`);
    const near = relative(process.cwd(), directory) || '.';
    console.log(`Serve it with any file host, for example: npx -y serve ${near.startsWith('..') ? directory : near}`);
    return 0;
  },
};
