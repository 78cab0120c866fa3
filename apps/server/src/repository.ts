/** Locates the server's own files. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

/** The root directory of the repository. */
export const repositoryRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** The version of the product. */
export const productVersion = packageJson.version;
