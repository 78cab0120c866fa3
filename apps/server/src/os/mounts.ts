/**
 * Mounts tmpfs and bind mounts with the programs `mount` and `umount`, because Node.js has no function for mounting.
 * Upstream: k8s.io/mount-utils (v1.36).
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readlink, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Decodes octal escapes, with which the kernel's list of mounts represents spaces. */
const unescape = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** Returns every mount point that this process sees, in the order of mounting. */
async function mountPoints(): Promise<readonly string[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(' ')[4])
    .filter((point) => point !== undefined)
    .map(unescape);
}

/**
 * Mounts a tmpfs.
 * @throws Error with the message of `mount`
 */
export async function mountTmpfs(path: string, sizeBytes: number | undefined): Promise<void> {
  const options = sizeBytes === undefined ? [] : ['-o', `size=${sizeBytes}`];
  await run('mount', ['-t', 'tmpfs', ...options, 'tmpfs', path]).catch(fail);
}

/** Bind-mounts a file or directory. The caller must have checked that `source` isn't a link. */
export async function bindMount(source: string, target: string): Promise<void> {
  await run('mount', ['--no-canonicalize', '--bind', source, target]).catch(fail);
}

/** The file with the engine's process id. */
const enginePidFile = '/var/run/docker.pid';

/**
 * Returns false if the engine runs in another mount namespace, where it wouldn't see mounts that this process makes.
 */
async function engineSeesMounts(): Promise<boolean> {
  const pid = (await readFile(enginePidFile, 'utf8').catch(() => '')).trim();
  if (!/^\d+$/.test(pid)) return true;
  const [own, engine] = await Promise.all(
    ['self', pid].map((who) => readlink(`/proc/${who}/ns/mnt`).catch(() => undefined)),
  );
  return engine === undefined || own === engine;
}

/**
 * Returns true if this process can mount below a directory and the engine sees such mounts. To find out, mounts and
 * unmounts once. First removes the mount that a killed process may have left. Only one process at a time may use the
 * directory.
 */
export async function mountsWork(directory: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !(await engineSeesMounts())) return false;
  const path = join(directory, '.mount-check');
  try {
    await mkdir(path, { recursive: true });
    await unmountAll(path);
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

/** Returns the mount points at and below a path, in the order of mounting. */
export const mountPointsBelow = async (path: string): Promise<readonly string[]> =>
  (await mountPoints()).filter((point) => point === path || point.startsWith(`${path}/`));

/** Unmounts everything at and below a path, the last mount first. */
export async function unmountAll(path: string): Promise<void> {
  for (const point of (await mountPointsBelow(path)).toReversed()) await run('umount', [point]).catch(fail);
}

function fail(error: unknown): never {
  const { stderr, message } = error as { stderr?: string; message: string };
  throw new Error(stderr?.trim() || message, { cause: error });
}
