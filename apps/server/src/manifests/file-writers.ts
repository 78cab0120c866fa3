/**
 * Detects whether a file is still being written. It searches the open files of all processes, because Node's watcher
 * doesn't report that a writer has closed a file (inotify's IN_CLOSE_WRITE).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** An open file of a process: `/proc/<pid>/fd/<number>`. */
export type OpenFile = string;

const accessMode = 0o3;

/** Returns the result of `read`, or undefined if the process or file has disappeared or can't be inspected. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns true while the process has the file open. */
export const isOpen = (open: OpenFile, path: string): boolean => readable(() => readlinkSync(open)) === path;

function isForWriting(pid: string, number: string): boolean {
  const info = readable(() => readFileSync(`/proc/${pid}/fdinfo/${number}`, 'utf8')) ?? '';
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & accessMode) !== 0;
}

/**
 * Returns a process that has the file open for writing. Returns `none` if no process has, and `unknown` where open
 * files can't be listed. Processes of other users are visible only to root. Blocks for some milliseconds.
 * @param path absolute path without symbolic links
 */
export function findWriter(path: string): OpenFile {
  const processes = readable(() => readdirSync('/proc'));
  if (!processes?.includes('self')) return 'unknown';
  for (const pid of processes) {
    if (!/^\d+$/.test(pid)) continue;
    for (const number of readable(() => readdirSync(`/proc/${pid}/fd`)) ?? []) {
      const open = `/proc/${pid}/fd/${number}`;
      if (isOpen(open, path) && isForWriting(pid, number)) return open;
    }
  }
  return 'none';
}
