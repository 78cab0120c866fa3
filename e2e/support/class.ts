/** Starts a class as a teacher does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';

const main = resolve(import.meta.dirname, '../../apps/server/src/main.ts');

export interface StartedClass {
  /** Address of the teacher's page, with its token. */
  readonly teacher: string;
  readonly origin: string;
  readonly code: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Returns an address of this machine in a network: browsers don't treat its pages as secure. */
export const networkAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Starts `start --class` on a free port. @throws Error with its output if it exits before it listens */
export async function startClass(args: readonly string[] = []): Promise<StartedClass> {
  const noBuild = process.env['PODSCOPE_TEST_PAGE_IS_BUILT'] === '1' ? ['--no-build'] : [];
  const child = spawn(process.execPath, [main, '--class', '--port', '0', ...noBuild, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const [teacher = '', origin = '', code = ''] = await new Promise<string[]>((found, fail) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      const url = /((?:http|https):\/\/[^\s/]+)\/\?teach&token=[\w-]+/.exec(text);
      const shown = /code\s+([A-Z0-9]{6})/.exec(text);
      if (url && shown && text.includes('Ctrl+C')) found([url[0], url[1] ?? '', shown[1] ?? '']);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (status) => fail(new Error(`the class ended with code ${status}:\n${text}`)));
    child.once('error', fail);
  });
  const exited = once(child, 'exit');
  return {
    teacher,
    origin,
    code,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGINT');
      await exited;
    },
  };
}
