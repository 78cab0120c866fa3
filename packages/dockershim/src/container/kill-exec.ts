/** Ends the processes of an exec. Docker has no call for it: they are killed on this machine, where the engine is here. */
import { readFile } from 'node:fs/promises';
import { type Context, sleep } from '@podscope/trace';
import type { Shim } from '../shim.ts';

const pollMs = 5;
const patienceMs = 1000;

/** Kills what an exec started, with all its descendants. Never fails: what could not be done is recorded. */
export async function killExec(shim: Shim, ctx: Context, containerId: string, execId: string): Promise<void> {
  try {
    const { Pid: pid, Running } = await shim.docker.inspectExec(ctx, { id: execId });
    if (!Running || pid === 0) return;
    // The number is a process of the engine's machine; only if that process is in the container is it ours to kill.
    if (!(await isInContainer(pid, containerId))) throw new Error('the engine is not on this machine');
    const all = await withDescendants(pid);
    for (const each of all) kill(each);
    // The caller may look for them next. A process that waits inside the kernel stays until that is done: it is not waited for long.
    const end = ctx.clock.now() + patienceMs;
    while (ctx.clock.now() < end && !(await areGone(all))) await sleep(ctx.clock, pollMs, ctx.signal);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    shim.deviations.record(ctx, `A command that exceeded its time limit keeps running in its container: it could not be killed (${why}).`);
  }
}

async function isInContainer(pid: number, containerId: string): Promise<boolean> {
  const cgroups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  return cgroups.includes(containerId);
}

/** A process and all below it, collected before the first one is killed: orphans move to another parent. */
async function withDescendants(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const below = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => withDescendants(Number(child))),
  );
  return [pid, ...below.flat()];
}

/** The first is the engine's child, which it clears away. Orphans stay in the table until the container's first process does so, if ever: to be dead is enough. */
async function areGone([main, ...others]: readonly number[]): Promise<boolean> {
  const stat = (pid: number): Promise<string> => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [first, ...rest] = await Promise.all([main ?? 0, ...others].map(stat));
  return first === '' && rest.every((state) => state === '' || /^\d+ \(.*\) [ZX] /s.test(state));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
