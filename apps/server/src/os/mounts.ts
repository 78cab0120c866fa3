/** Memory mounted as directories, through the system's own tools: there is no call for it in Node. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Octal escapes stand for blanks in the kernel's list. */
const unescape = (text: string): string => text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** Every mount point of this process's view, in the order in which they were mounted. */
async function mountPoints(): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(' ')[4])
    .filter((point) => point !== undefined)
    .map(unescape);
}

/** @throws Error with the words of `mount` */
export async function mountTmpfs(path: string, sizeBytes: number | undefined): Promise<void> {
  const options = ['mode=0777', ...(sizeBytes === undefined ? [] : [`size=${sizeBytes}`])];
  await run('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', path]).catch(fail);
}

export const isMountPoint = async (path: string): Promise<boolean> => (await mountPoints()).includes(path);

/** What was mounted last goes first. */
export async function unmountAll(path: string): Promise<void> {
  const below = (await mountPoints()).filter((point) => point === path || point.startsWith(`${path}/`));
  for (const point of below.toReversed()) await run('umount', [point]).catch(fail);
}

function fail(error: unknown): never {
  const { stderr, message } = error as { stderr?: string; message: string };
  throw new Error(stderr?.trim() || message, { cause: error });
}
