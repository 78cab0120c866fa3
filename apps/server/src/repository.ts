/** Where the server's own files are. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

/** Root of the repository. */
export const repositoryRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Version of the product. */
export const productVersion = packageJson.version;
