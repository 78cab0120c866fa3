/** The directory that holds what outlives the server. One server at a time: the lock is the operating system's, so that it ends with its holder. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

/** Tells a state directory from others. */
const instanceFile = 'instance';

export interface StateDirectory {
  readonly path: string;
  /** Tells this directory's containers from those of other servers on the same engine. Stays the same over restarts. */
  readonly instance: string;
  /** Absolute path of something in it. */
  join(...names: readonly string[]): string;
  /** Lets another server have it. */
  release(): void;
}

/**
 * Opens the directory, made if need be.
 * @throws StartError when another server has it, others may look into it, or it can't be written.
 */
export async function openStateDirectory(path: string): Promise<StateDirectory> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`the state directory ${path} cannot be made: ${(error as Error).message}`, { cause: error });
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
 * Volumes with Secrets, logs and recorded runs lie below it, with the modes that containers and SQLite need: the directory itself keeps others
 * out. One that was made by hand is closed to them, unless it holds files of something else, too.
 */
async function keepToOwner(path: string): Promise<void> {
  try {
    if (((await stat(path)).mode & 0o077) === 0) return;
    // What a file system of its own has at its root.
    const names = (await readdir(path)).filter((name) => name !== 'lost+found');
    if (names.length === 0 || names.includes(instanceFile)) {
      await chmod(path, 0o700);
      return;
    }
  } catch (error) {
    throw new StartError(`the state directory ${path} cannot be closed to other users: ${(error as Error).message}`, { cause: error });
  }
  throw new StartError(`other users may look into ${path}, and it holds other things than Podscope’s state: choose another --state-dir, or chmod 700 it`);
}

/** SQLite's file lock is released by the kernel when its process ends, however that happens. */
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
      throw new StartError(`another server${holder ? ` (process ${holder})` : ''} uses ${path}: stop it, or choose another --state-dir`, { cause: error });
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

/** Replaces a file whole, readable by its owner only; on disk once it resolves. */
export async function writePrivately(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    await chmod(temporary, 0o600);
    await rename(temporary, file);
  } catch (error) {
    // On a full disk, what could not be written must not take its last room.
    await rm(temporary, { force: true });
    throw error;
  }
}
