/** Implements `build:site`: builds the standalone page into a folder that any file host can serve. */

import { cp } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import {
  type CommandBody,
  callOf,
  isPackaged,
  print,
  readArguments,
  UsageError,
  working,
} from '@podscope/command-line';
import { repositoryRoot } from '@podscope/server/repository';
import { productVersion } from '@podscope/server/version';
import { sourceAddress } from '../project-address.ts';
import { pageSizes } from './page-sizes.ts';
import { siteAddress, writeShareTags } from './share-tags.ts';
import { emptySiteDirectory } from './site-directory.ts';

/** In a clone, the default directory doesn't depend on the working directory. */
const defaultDirectory = isPackaged ? 'site' : join(repositoryRoot, 'site');

const help = `Usage: ${callOf('build:site')} [--out DIR] [--address URL]

Builds Podscope as a static folder: the page with the whole engine and the simulator, no server; and, from a clone,
the documentation in docs/. All paths are
relative, so it can be served from any path; after the first load it works offline. Supported links:
?scenario=ID&seed=N&profile=v1.20, ?embed for a frame.

Options:
  --out DIR   The target folder (default: ${isPackaged ? 'site/ here' : 'site/ in the repository'}). An earlier site
              in it is replaced; a folder with other files is refused.
  --address URL
              Where the site will be served. Chats and other sites then show a title and a picture with its links.
`;

export const buildSite: CommandBody = {
  help,
  examples: [
    ['build:site --out site', 'Build into the directory site'],
    ['build:site --address https://school.example/podscope/', 'Build a site whose links have a preview'],
  ],
  async run(args) {
    const options = { out: { type: 'string' }, address: { type: 'string' } } as const;
    const { values, positionals } = readArguments(args, options, 'build:site');
    if (positionals.length > 0) throw new UsageError('build:site takes no argument');
    const directory = resolve(values.out ?? defaultDirectory);
    const address = values.address === undefined ? undefined : siteAddress(values.address);
    await emptySiteDirectory(directory, { repository: repositoryRoot, home: homedir() });
    if (isPackaged) {
      await working('Copying the site', () => cp(join(repositoryRoot, 'site'), directory, { recursive: true }));
      if (address !== undefined) await writeShareTags(directory, address);
      print(`Copied the site to ${directory}`);
      return 0;
    }
    const { writeSite } = await import('./write-site.ts');
    const { writeDocs } = await import('../docs-site/write-docs.ts');
    await working('Building the site', () => writeSite(directory, { hasDocs: true }));
    const pages = await writeDocs(join(directory, 'docs'), sourceAddress(productVersion));
    if (address !== undefined) await writeShareTags(directory, address);
    const { first, engine, sum } = await pageSizes(directory);
    console.log(`Built ${directory}`);
    console.log(`page: ${sum(first).toFixed(0)} KiB of script before anything optional, gzipped`);
    if (engine !== undefined) console.log(`engine chunk: ${sum([engine]).toFixed(0)} KiB gzipped`);
    console.log(`documentation: ${pages} pages in docs/`);
    const near = relative(process.cwd(), directory) || '.';
    console.log(`Serve it with any file host, for example: npx -y serve ${near.startsWith('..') ? directory : near}`);
    return 0;
  },
};
