/** Starts the server of an observed node as a process of its own, for tests that kill it and for `bench relay`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('debugger-process.ts', import.meta.url));

/**
 * Starts the server and resolves when it serves its page. It connects to the relay at about the same time.
 * @param point the point of a breakpoint; the process sends `stopped` for each stop there
 * @throws Error if the process ends first
 */
export async function startDebugger(control: string, state: string, point?: string): Promise<ChildProcess> {
  const args = [control, state, ...(point === undefined ? [] : [point])];
  const child = fork(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit').then(() => Promise.reject(new Error('the debugger ended')));
  await Promise.race([once(child, 'message'), exit]);
  exit.catch(() => undefined);
  return child;
}
