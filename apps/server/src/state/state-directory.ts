/** The directory that holds what outlives the server. One server at a time: the lock is the operating system's, so that it ends with its holder. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

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
 * @throws StartError when another server has it, or it can't be written.
 */
export async function openStateDirectory(path: string): Promise<StateDirectory> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`the state directory ${path} cannot be made: ${(error as Error).message}`, { cause: error });
  }
  const lock = await acquire(path);
  try {
    const pidFile = join(path, 'server.pid');
    await writePrivately(pidFile, `${process.pid}\n`);
    const instance = await readInstance(join(path, 'instance'));
    return { path, instance, join: (...names) => join(path, ...names), release: () => lock.close() };
  } catch (error) {
    lock.close();
    throw new StartError(`the state directory ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
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
