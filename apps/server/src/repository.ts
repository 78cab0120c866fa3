/** Locates the files that belong to this copy of Podscope. */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPackaged } from '@podscope/command-line';

/** The directory of this module. In the npm package, all modules are in one directory. */
const here = dirname(fileURLToPath(import.meta.url));

/** The root directory of the repository, or of the npm package. */
export const repositoryRoot = resolve(here, isPackaged ? '..' : '../../..');

/** The directory of the built page. The npm package serves the build of the static site. */
export const pageDirectory = isPackaged ? join(repositoryRoot, 'site') : join(repositoryRoot, 'apps/web/dist');

/** The name of the page's document in its directory. */
export const pageFile = isPackaged ? 'server.html' : 'index.html';

/** The directory of the lessons, with a folder for each language. */
export const lessonsDirectory = join(repositoryRoot, isPackaged ? 'lessons' : 'packages/lessons/lessons');

/** The directory of the recorded runs that lessons show. */
export const recordingsDirectory = join(repositoryRoot, isPackaged ? 'recordings' : 'packages/lessons/recordings');
