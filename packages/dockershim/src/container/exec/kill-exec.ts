/**
 * Kills the processes of an exec. Docker has no call for this, so dockershim kills them directly if the engine runs on
 * this machine.
 */
import { readFile } from 'node:fs/promises';
import { errorMessage } from '@podscope/base';
import { type Context, sleep } from '@podscope/trace';
import type { DockershimDependencies } from '../../dependencies.ts';

const pollMs = 5;
const timeoutMs = 1000;

/**
 * Kills the process of an exec and all its descendants. Never throws: if they can't be killed, a deviation is recorded.
 */
export async function killExec(
  ctx: Context,
  dependencies: DockershimDependencies,
  containerId: string,
  execId: string,
): Promise<void> {
  try {
    const { Pid: pid, Running } = await dependencies.docker.inspectExec(ctx, { id: execId });
    if (!Running || pid === 0) return;
    // The pid is valid on the engine's machine. The process is killed only if this machine has a process with the same
    // pid in the container.
    if (!(await isInContainer(pid, containerId))) throw new Error('the engine is not on this machine');
    const all = await withDescendants(pid);
    for (const each of all) kill(each);
    // Waits until the processes have ended, because callers may look for them next. The wait is short, because a
    // process can be in an uninterruptible wait.
    const end = ctx.clock.now() + timeoutMs;
    while (ctx.clock.now() < end && !(await areGone(all))) await sleep(ctx.clock, pollMs, ctx.signal);
  } catch (error) {
    const why = errorMessage(error);
    dependencies.deviations.record(
      ctx,
      `A command that exceeded its time limit keeps running in its container: it could not be killed (${why}).`,
    );
  }
}

async function isInContainer(pid: number, containerId: string): Promise<boolean> {
  const cgroups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  return cgroups.includes(containerId);
}

/**
 * Returns a process and its descendants. They are collected before the first one is killed, because an orphaned process
 * gets another parent.
 */
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

/**
 * Returns true if all processes have ended. The engine reaps the main process. Its orphans remain as zombies until the
 * container's init process reaps them, so a zombie counts as ended.
 */
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
