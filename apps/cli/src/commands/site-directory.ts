/** Where a site may be built: what is there is replaced, so it must be nobody else's. */
import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { UsageError } from '../command.ts';

/** Lies in every folder that was made here: what may be replaced. */
const marker = '.podscope-site';

/** Directories that are never replaced, and neither is what holds them. */
export interface Protected {
  readonly repository: string;
  readonly home: string;
}

/** The directory without symbolic links, as far as it exists. */
async function resolved(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch {
    const parent = dirname(directory);
    return parent === directory ? directory : join(await resolved(parent), basename(directory));
  }
}

/** True when `inner` is `outer`, or lies in it. */
function holds(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`);
}

/**
 * Makes a directory for a site, and empties it of an earlier one.
 * @param directory absolute
 * @throws UsageError when something else is there
 */
export async function emptySiteDirectory(directory: string, { repository, home }: Protected): Promise<void> {
  const place = await resolved(directory);
  for (const [what, path] of [
    ['the repository', repository],
    ['your home directory', home],
  ] as const) {
    if (holds(place, await resolved(path))) throw new UsageError(`--out ${directory} is ${what} or holds it, and would be replaced: name a folder of its own`);
  }
  const names = await readdir(place).catch((error: unknown): string[] => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new UsageError(`--out ${directory} is not a folder`);
    throw error;
  });
  if (names.length > 0 && !names.includes(marker))
    throw new UsageError(`--out ${directory} holds what build:site has not made: name a new or empty folder, or empty this one yourself first`);
  // The folder itself stays: somebody may be in it.
  await mkdir(place, { recursive: true });
  for (const name of names) await rm(join(place, name), { recursive: true, force: true });
  // Before the build: one that fails must not be in the way of the next.
  await writeFile(join(place, marker), 'Made by build:site, which replaces all of this folder.\n');
}
