/** Locates the files that belong to this copy of Podscope. */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPackaged } from '@podscope/command-line';

/** The directory of this module, or in the npm package that of all its modules. */
const here = dirname(fileURLToPath(import.meta.url));

/** The root directory of the repository, or of the npm package. */
export const repositoryRoot = resolve(here, isPackaged ? '..' : '../../..');

/** The directory of the built page. */
export const pageDirectory = isPackaged ? join(repositoryRoot, 'page') : join(repositoryRoot, 'apps/web/dist');
