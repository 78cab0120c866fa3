/**
 * Manages the directory for state that is kept after the server ends. Only one server at a time may use the directory.
 * The operating system releases the lock when the process ends.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

/** This file marks a directory as a state directory. */
const instanceFile = 'instance';

export interface StateDirectory {
  readonly path: string;
  /**
   * An id that marks the containers of this state directory, so that other servers on the same engine ignore them. It
   * stays the same across restarts.
   */
  readonly instance: string;
  /** Returns the absolute path of a file in the directory. */
  join(...names: readonly string[]): string;
  /** Releases the lock, so that another server can use the directory. */
  release(): void;
}

/**
 * Returns true if the directory exists or can be created, and this process may write to it. Creates the directory if
 * necessary.
 */
export const canMake = (path: string): Promise<boolean> =>
  mkdir(path, { recursive: true, mode: 0o700 })
    .then(() => access(path, constants.W_OK))
    .then(
      () => true,
      () => false,
    );

/**
 * Opens the directory, and creates it if necessary.
 * @throws StartError if another server uses it, other users may read it, or it can't be written
 */
export async function openStateDirectory(path: string): Promise<StateDirectory> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`the state directory ${path} cannot be created: ${(error as Error).message}`, {
      cause: error,
    });
  }
  await keepToOwner(path);
  const lock = await acquire(path);
  try {
    const pidFile = join(path, 'server.pid');
    await writePrivately(pidFile, `${process.pid}\n`);
    const instance = await readInstance(join(path, instanceFile));
    return { path, instance, join: (...names) => join(path, ...names), release: () => lock.close() };
  } catch (error) {
    lock.close();
    throw new StartError(`the state directory ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Restricts the directory to its owner. It contains volumes with Secrets, logs and recorded runs. Their own modes are
 * less strict, because containers and SQLite need that, so the directory itself must exclude other users. A directory
 * that the user created is also restricted, unless it contains unrelated files.
 */
async function keepToOwner(path: string): Promise<void> {
  try {
    if (((await stat(path)).mode & 0o077) === 0) return;
    // Ignore `lost+found`, which the root directory of a file system may contain.
    const names = (await readdir(path)).filter((name) => name !== 'lost+found');
    if (names.length === 0 || names.includes(instanceFile)) {
      await chmod(path, 0o700);
      return;
    }
  } catch (error) {
    throw new StartError(`the state directory ${path} cannot be restricted to its owner: ${(error as Error).message}`, {
      cause: error,
    });
  }
  throw new StartError(
    `other users can read ${path}, and it contains files other than Podscope’s state: choose another ` +
      '--state-dir, or run chmod 700 on it',
  );
}

/**
 * Acquires the lock of the directory. The lock is a lock of SQLite, so the kernel releases it no matter how the process
 * ends.
 */
async function acquire(path: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const holder = (await readFile(join(path, 'server.pid'), 'utf8').catch(() => '')).trim();
    if ((error as { errcode?: number }).errcode === 5) {
      throw new StartError(
        `another server${holder ? ` (process ${holder})` : ''} uses ${path}: stop it, or choose another --state-dir`,
        { cause: error },
      );
    }
    throw new StartError(`the state directory ${path} cannot be locked: ${(error as Error).message}`, { cause: error });
  }
}

async function readInstance(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{16}\n$/.test(known)) return known.trim();
  const instance = randomBytes(8).toString('hex');
  await writePrivately(file, `${instance}\n`);
  return instance;
}

/** Replaces a file atomically. Only its owner may read the file. Resolves when the file is on disk. */
export async function writePrivately(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    await chmod(temporary, 0o600);
    await rename(temporary, file);
  } catch (error) {
    // Remove the incomplete file, which may occupy the last space of a full disk.
    await rm(temporary, { force: true });
    throw error;
  }
}
