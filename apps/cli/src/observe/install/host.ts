/**
 * Declares the host that an installation changes: its files and its commands. In tests, the files are below another
 * root directory.
 */
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Host {
  /** Returns a file's text, or undefined if it doesn't exist. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file, and creates its directory if necessary. An existing file keeps its owner and mode. */
  write(path: string, text: string, mode?: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Removes a directory if it exists and is empty. */
  removeDirectory(path: string): Promise<void>;
  /** Returns the names in a directory; empty if it doesn't exist. */
  list(path: string): Promise<readonly string[]>;
  /** Returns the owner and permissions of a file, directory or socket, or undefined. */
  access(path: string): Promise<{ readonly uid: number; readonly gid: number; readonly mode: number } | undefined>;
  /** Returns the arguments of a unit's main process, or undefined if it doesn't run. */
  commandLine(unit: string): Promise<readonly string[] | undefined>;
  /** Runs a command and returns its output. @throws Error with its error output */
  run(command: string, ...args: readonly string[]): Promise<string>;
}

/** Runs a command. @throws Error with the command and its error output */
const execute: Host['run'] = async (command, ...args) => {
  try {
    return (await promisify(execFile)(command, args)).stdout;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`${command} ${args.join(' ')}: ${stderr.trim() || (error as Error).message}`, { cause: error });
  }
};

/** Returns the host with its files below `root`, `/proc` included. `run` runs its commands. */
export function hostAt(root: string, run: Host['run'] = execute): Host {
  const at = (path: string): string => join(root, path);
  const absent = (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  };
  const inUse = (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return undefined;
    return absent(error);
  };
  return {
    read: (path) => readFile(at(path), 'utf8').catch(absent),
    async write(path, text, mode) {
      const file = at(path);
      const before = await stat(file).catch(absent);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, mode === undefined ? {} : { mode });
      if (before) await chown(file, before.uid, before.gid);
      if (before) await chmod(file, before.mode);
      else if (mode !== undefined) await chmod(file, mode);
    },
    remove: (path) => rm(at(path), { force: true }),
    removeDirectory: (path) => rmdir(at(path)).catch(inUse),
    list: async (path) => (await readdir(at(path)).catch(absent)) ?? [],
    async access(path) {
      const found = await stat(at(path)).catch(absent);
      return found && { uid: found.uid, gid: found.gid, mode: found.mode & 0o777 };
    },
    async commandLine(unit) {
      const pid = Number(await run('systemctl', 'show', '--property=MainPID', '--value', unit).catch(() => ''));
      if (!(pid > 0)) return undefined;
      const text = await readFile(at(`/proc/${pid}/cmdline`), 'utf8').catch(absent);
      return text === undefined || text === '' ? undefined : text.replace(/\0$/, '').split('\0');
    },
    run,
  };
}
