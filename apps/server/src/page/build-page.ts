/** Builds the page if its sources have changed since the last build. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { pageDirectory, repositoryRoot } from '../repository.ts';
import { StartError } from '../start-error.ts';

const webRoot = join(repositoryRoot, 'apps', 'web');

/** The name of the file that contains the hash of the sources of the last build. */
const stampName = '.sources';
const stampFile = join(pageDirectory, stampName);

/** The sources of the page. The lock file represents the installed packages. */
const sources = ['apps/web', 'packages', 'pnpm-lock.yaml', 'tsconfig.base.json'];

const skipped = /^(node_modules|test-results|dist.*)$/;

async function filesBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return undefined;
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (!entries) return [path];
  const nested = await Promise.all(
    entries
      .filter(({ name }) => !skipped.test(name) && !/\.test\.tsx?$/.test(name))
      .map((entry) => filesBelow(join(path, entry.name))),
  );
  return nested.flat();
}

/** Returns a hash of all sources of the page. */
async function hashSources(): Promise<string> {
  const files = (await Promise.all(sources.map((source) => filesBelow(join(repositoryRoot, source)))))
    .flat()
    .toSorted();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${relative(repositoryRoot, file)}\0`);
    hash.update(await readFile(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Builds the page unless it is up to date.
 * @param announce called before a build begins
 * @returns the directory to serve
 * @throws StartError if the build fails
 */
export async function buildPage(announce: () => void): Promise<string> {
  const hash = await hashSources();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === hash) return pageDirectory;
  announce();
  // Build into another directory and then swap the two, because another server may be serving the old build.
  const fresh = `${pageDirectory}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await runVite(fresh);
    await writeFile(join(fresh, stampName), hash);
    await replaceDirectory(fresh, pageDirectory);
    return pageDirectory;
  } catch (error) {
    throw new StartError(`the page could not be built (--no-build serves the last build): ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Runs vite in a separate process, because the server's process would not free the memory of the build. */
async function runVite(outDir: string): Promise<void> {
  const vite = join(dirname(fileURLToPath(import.meta.resolve('vite/package.json'))), 'bin', 'vite.js');
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'],
    { cwd: webRoot },
  );
}

/** Returns the first meaningful line of vite's output, or the reason why vite couldn't be started. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reported = 'stderr' in error && typeof error.stderr === 'string' ? stripVTControlCharacters(error.stderr) : '';
  return (reported.trim() || error.message).split('\n')[0] ?? '';
}

async function replaceDirectory(fresh: string, target: string): Promise<void> {
  const old = `${fresh}.old`;
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(fresh, target);
  await rm(old, { recursive: true, force: true });
}
