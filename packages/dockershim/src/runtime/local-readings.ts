/**
 * Reads values from files of this machine that the engine's API doesn't report: open files, sockets and the file
 * system.
 */
import { readdir, readFile, readlink, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineFacts } from '../engine/facts.ts';

/**
 * The open files, sockets and file system of a container. The numbers of files and sockets are sums over its processes.
 */
export interface LocalReadings {
  readonly fileDescriptors: number;
  readonly sockets: number;
  /** The soft limit of open files of the main process. */
  readonly openFilesLimit: number;
  readonly fileSystem: { readonly bytes: number; readonly inodes: number; readonly freeInodes: number };
}

/** Reads the values; undefined if the container isn't running or if this process can't read its files. */
export async function readLocally(
  { hasLocalFiles, rootDirectory }: EngineFacts,
  pid: number,
): Promise<LocalReadings | undefined> {
  if (!hasLocalFiles || pid <= 0) return undefined;
  try {
    const [pids, limits, fs] = await Promise.all([
      processesOf(pid),
      readFile(`/proc/${pid}/limits`, 'utf8'),
      statfs(rootDirectory),
    ]);
    const counts = await Promise.all(pids.map(countOpenFiles));
    return {
      fileDescriptors: counts.reduce((sum, { files }) => sum + files, 0),
      sockets: counts.reduce((sum, { sockets }) => sum + sockets, 0),
      openFilesLimit: Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0),
      fileSystem: { bytes: fs.blocks * fs.bsize, inodes: fs.files, freeInodes: fs.ffree },
    };
  } catch {
    // The process has exited or isn't visible to this process.
    return undefined;
  }
}

/** Returns the pids of the processes in the cgroup of `pid`; only `pid` if the cgroup's files can't be found. */
async function processesOf(pid: number): Promise<readonly number[]> {
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8');
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(.+)$/.exec(line) ?? [];
    if (path === undefined || (controllers !== '' && controllers !== 'pids')) continue;
    const list = await readFile(join('/sys/fs/cgroup', controllers ?? '', path, 'cgroup.procs'), 'utf8').catch(
      () => '',
    );
    if (list.trim()) return list.trim().split('\n').map(Number);
  }
  return [pid];
}

async function countOpenFiles(pid: number): Promise<{ files: number; sockets: number }> {
  const directory = `/proc/${pid}/fd`;
  const names = await readdir(directory).catch((): string[] => []);
  const targets = await Promise.all(names.map((name) => readlink(join(directory, name)).catch(() => '')));
  return { files: names.length, sockets: targets.filter((target) => target.startsWith('socket:')).length };
}
