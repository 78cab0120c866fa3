/** Reads the processor time and memory of a process from the kernel's counters. Linux only. */
import { readdir, readFile } from 'node:fs/promises';

/** Returns the processor time of all threads that run in a process, in milliseconds. */
export async function processorTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(
    threads.map(async (thread) => {
      // The first number in the file is the processor time in nanoseconds. The file may be missing, because a thread
      // may end meanwhile.
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number(text.split(' ')[0]) / 1e6;
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

/** Returns the resident memory of a process in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
