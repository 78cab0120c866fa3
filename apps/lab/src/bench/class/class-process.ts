/** Starts `start --class` as a separate process, as a teacher does, and measures its memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';

export interface ClassProcess {
  /** Address of the teacher's page, with its token. */
  readonly teacher: string;
  readonly origin: string;
  readonly port: number;
  readonly code: string;
  readonly token: string;
  /** Returns the resident memory in bytes; NaN where /proc doesn't exist. */
  memory(): Promise<number>;
  /**
   * Collects all garbage, and returns the memory to the system.
   * @returns the bytes that are still used
   * @throws Error if the class wasn't started by {@link startMeasuredClass}
   */
  collectGarbage(): Promise<number>;
  stop(): Promise<void>;
}

/** Lets the parent process collect the garbage of a class. */
const collecting = ['--expose-gc', '--import', new URL('./collect-garbage.process.ts', import.meta.url).href];

/**
 * Starts a class on a free port.
 * @param nodeOptions options of Node.js
 * @throws Error with its output if it exits before it listens
 */
export async function startClassProcess(
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<ClassProcess> {
  const main = join(repositoryRoot, 'apps/server/src/main.ts');
  const child = spawn(process.execPath, [...nodeOptions, main, '--class', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('the class has no output');
  let text = '';
  const [teacher = '', origin = '', token = '', code = ''] = await new Promise<string[]>((found, fail) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const url = /(https?:\/\/[^\s/]+)\/\?teach&token=([\w-]+)/.exec(text);
      const shown = /code\s+([A-Z0-9]{6})/.exec(text);
      if (url && shown && text.includes('Ctrl+C')) found([...url, shown[1] ?? '']);
    };
    stdout.on('data', read);
    stderr.on('data', read);
    child.once('exit', (status) => fail(new Error(`the class ended with code ${status}:\n${text}`)));
    child.once('error', fail);
  });
  const exited = once(child, 'exit');
  return {
    teacher,
    origin,
    port: Number(new URL(origin).port),
    code,
    token,
    memory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
    },
    collectGarbage: async () => {
      if (nodeOptions !== collecting) throw new Error('the class was not started by startMeasuredClass');
      const used = once(child, 'message') as Promise<[number]>;
      child.send('collect');
      return (await used)[0];
    },
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGINT');
      await exited;
    },
  };
}

const local = ['--host', '127.0.0.1', '--no-build'];

/** Starts a class on loopback, without building the page. @throws Error with its output if it doesn't start */
export const startLocalClass = (): Promise<ClassProcess> => startClassProcess(local);

/** Starts a local class whose garbage can be collected. @throws Error with its output if it doesn't start */
export const startMeasuredClass = (): Promise<ClassProcess> => startClassProcess(local, collecting);
