/** Finds the relay's process below its supervisor. */
import { readFile } from 'node:fs/promises';

/**
 * Returns the pid of a process's first child. Works only on Linux.
 * @throws Error if the process has no child
 */
export async function firstChild(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const first = Number(children.trim().split(' ')[0]);
  // Process 0 would be the whole process group of the test.
  if (!(first > 0)) throw new Error(`process ${pid} has no child`);
  return first;
}
