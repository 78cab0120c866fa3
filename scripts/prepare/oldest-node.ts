/** Installs the oldest supported version of Node, for the tests of the npm package. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '../lib/run.ts';

/** The first release that has everything that `engines` requires. */
const version = '22.13.0';

/**
 * Returns the path of the Node.js binary. The first call installs it with npm below `cache`.
 * @throws Error with npm's output if it can't be installed
 */
export async function prepareOldestNode(cache: string): Promise<string> {
  const directory = join(cache, `node-${version}`);
  const binary = join(directory, 'node_modules/node/bin/node');
  if (!existsSync(binary)) {
    await mkdir(directory, { recursive: true });
    await must('npm', ['install', '--no-save', '--prefix', directory, `node@${version}`], { cwd: directory });
  }
  return binary;
}
