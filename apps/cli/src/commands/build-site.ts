/** Builds the page that runs alone into a folder that any file host can serve. */
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Command, UsageError } from '../command.ts';
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

/** Gzipped size of a file in KiB. */
const kibibytes = async (file: string): Promise<number> => gzipSync(await readFile(file)).byteLength / 1024;

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
    const assets = await readdir(join(directory, 'assets'));
    const engine = assets.find((name) => name.startsWith('engine.worker'));
    console.log(`Built ${directory}`);
    if (engine) console.log(`engine chunk: ${(await kibibytes(join(directory, 'assets', engine))).toFixed(0)} KiB gzipped`);
    console.log('Serve it with any file host, for example: npx -y serve site');
    return 0;
  },
};
