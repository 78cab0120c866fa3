/** Memory mounted as directories, through the system's own tools: there is no call for it in Node. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readlink, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
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
  const options = sizeBytes === undefined ? [] : ['-o', `size=${sizeBytes}`];
  await run('mount', ['-t', 'tmpfs', ...options, 'tmpfs', path]).catch(fail);
}

/** Shows a file or directory at another place, too. Links at the end of `source` are the caller's to have ruled out. */
export async function bindMount(source: string, target: string): Promise<void> {
  await run('mount', ['--no-canonicalize', '--bind', source, target]).catch(fail);
}

/** Where the engine keeps its process id. */
const enginePidFile = '/var/run/docker.pid';

/** True unless the engine is known to live with mounts of its own, where it would not see what is mounted here. */
async function engineSeesMounts(): Promise<boolean> {
  const pid = (await readFile(enginePidFile, 'utf8').catch(() => '')).trim();
  if (!/^\d+$/.test(pid)) return true;
  const [own, engine] = await Promise.all(['self', pid].map((who) => readlink(`/proc/${who}/ns/mnt`).catch(() => undefined)));
  return engine === undefined || own === engine;
}

/** Whether this process may mount below a directory, and the engine would see it: it is tried. */
export async function mountsWork(directory: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !(await engineSeesMounts())) return false;
  const path = join(directory, `.mount-check-${process.pid}`);
  try {
    await mkdir(path, { recursive: true });
    await mountTmpfs(path, 4096);
    await unmountAll(path);
    return true;
  } catch {
    return false;
  } finally {
    await rmdir(path).catch(() => undefined);
  }
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
