/** Reads, writes and removes cgroups and kills their processes, for both cgroup versions. */
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * The maximum number of attempts to kill a cgroup's processes. Upstream:
 * podContainerManagerImpl.tryKillingCgroupProcesses.
 */
const killRounds = 5;
const roundPause = 50;
const removeRounds = 100;

/** True for an existing directory. */
export const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

/** Creates a cgroup and its missing parents. Calls `onMade` for each created cgroup, the outermost first. */
export async function makeCgroup(
  root: string,
  path: string,
  onMade: (directory: string, parent: string) => Promise<void>,
): Promise<void> {
  let directory = root;
  for (const part of path.split('/').filter(Boolean)) {
    const parent = directory;
    directory = join(directory, part);
    if (await isDirectory(directory)) continue;
    await mkdir(directory).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    await onMade(directory, parent);
  }
}

/** Returns the number in a file; undefined if the file is absent or contains `max` or other text. */
export async function readNumber(file: string): Promise<number | undefined> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Writes a value.
 * @throws Error that names the file and the value
 */
export async function writeValue(file: string, value: number | string): Promise<void> {
  try {
    await writeFile(file, String(value));
  } catch (error) {
    throw new Error(`failed to write ${JSON.stringify(String(value))} to ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Returns a cgroup and all cgroups below it, the innermost first. */
async function withDescendants(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => withDescendants(join(directory, name))),
  );
  return [...below.flat(), directory];
}

/** Returns the names of the direct children of a cgroup. */
export async function childCgroups(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function processes(directory: string): Promise<readonly number[]> {
  const lists = await Promise.all(
    (await withDescendants(directory)).map((cgroup) => readFile(join(cgroup, 'cgroup.procs'), 'utf8').catch(() => '')),
  );
  // Skip 0: it stands for a process of another PID namespace, which can't be killed from here.
  return [...new Set(lists.join('\n').split('\n').filter(Boolean).map(Number))].filter(
    (pid) => pid > 1 && pid !== process.pid,
  );
}

/** Returns true if one of these cgroups, or a cgroup below it, contains a process. */
export const hasProcesses = async (directories: readonly string[]): Promise<boolean> =>
  (await Promise.all(directories.map(processes))).some(({ length }) => length > 0);

/** Kills every process in the given cgroups and in all cgroups below them. */
export async function killProcesses(directories: readonly string[]): Promise<void> {
  for (let round = 0; round < killRounds; round++) {
    const pids = new Set((await Promise.all(directories.map(processes))).flat());
    if (pids.size === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (codeOf(error) !== 'ESRCH') throw error;
      }
    }
    await delay(roundPause);
  }
}

/**
 * Removes a cgroup and all cgroups below it. Retries for some time while a cgroup is busy, because killed processes
 * need time to leave it.
 * @throws Error if the cgroup still exists afterwards
 */
export async function removeCgroup(directory: string): Promise<void> {
  for (const cgroup of await withDescendants(directory)) {
    for (let round = 1; ; round++) {
      try {
        await rmdir(cgroup);
        break;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') break;
        if (codeOf(error) !== 'EBUSY' || round === removeRounds) throw error;
        await delay(roundPause);
      }
    }
  }
}
