/**
 * Prepares the directory into which a site is built. Refuses directories with files that `build:site` didn't create.
 */

import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { UsageError } from '@podscope/command-line';

/** The name of a file that marks a directory as created by `build:site`, which may therefore empty the directory. */
const marker = '.podscope-site';

/** Directories that are never emptied. Their parent directories aren't emptied either. */
export interface Protected {
  readonly repository: string;
  readonly home: string;
}

/** Resolves the symbolic links in the part of the path that exists. */
async function resolved(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch {
    const parent = dirname(directory);
    return parent === directory ? directory : join(await resolved(parent), basename(directory));
  }
}

/** Returns true if `inner` is `outer` or a directory inside it. */
function holds(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`);
}

/**
 * Creates the directory of a site, or empties one that an earlier build created.
 * @param directory absolute path
 * @throws UsageError if the directory contains other files
 */
export async function emptySiteDirectory(directory: string, { repository, home }: Protected): Promise<void> {
  const place = await resolved(directory);
  for (const [what, path] of [
    ['the repository', repository],
    ['your home directory', home],
  ] as const) {
    if (holds(place, await resolved(path)))
      throw new UsageError(
        `--out ${directory} is ${what} or contains it, and would be replaced: choose another directory`,
      );
  }
  const names = await readdir(place).catch((error: unknown): string[] => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new UsageError(`--out ${directory} is not a folder`);
    throw error;
  });
  if (names.length > 0 && !names.includes(marker))
    throw new UsageError(
      `--out ${directory} contains files that build:site did not create: choose a new or empty directory, or ` +
        'empty it yourself first',
    );
  // Keep the directory itself, because it may be the working directory of a shell.
  await mkdir(place, { recursive: true });
  for (const name of names) await rm(join(place, name), { recursive: true, force: true });
  // Write the marker before the build, so that the next build may empty the directory after a failed build.
  await writeFile(join(place, marker), 'Made by build:site, which replaces all of this folder.\n');
}
