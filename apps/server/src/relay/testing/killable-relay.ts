/** Starts the relay's processes in front of a runtime, for tests that kill the relay. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relayArguments, supervisorProgram } from '@podscope/relay';
import { firstChild } from '@podscope/relay/testing';

export interface KillableRelay {
  readonly endpoint: `unix://${string}`;
  /** Path of the control socket. */
  readonly control: string;
  /** A directory for the files of the test. */
  readonly directory: string;
  /** Kills the relay's process. Its supervisor starts another one. Works only on Linux. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** @param runtime the runtime's endpoint or socket path */
export async function killableRelay(runtime: string): Promise<KillableRelay> {
  const directory = await mkdtemp(join(tmpdir(), 'kill-'));
  const [listen, control] = [join(directory, 'cri.sock'), join(directory, 'relay.sock')];
  const args = relayArguments({ listen, runtime: runtime.replace(/^unix:\/\//, ''), control, version: 'test' });
  const supervisor = fork(fileURLToPath(supervisorProgram), args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  await once(supervisor, 'message');
  return {
    endpoint: `unix://${listen}`,
    control,
    directory,
    async kill() {
      process.kill(await firstChild(supervisor.pid), 'SIGKILL');
    },
    async close() {
      const exited = once(supervisor, 'exit');
      supervisor.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Kills a process and resolves when it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
