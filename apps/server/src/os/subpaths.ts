/**
 * Resolves and binds subpaths of volumes. Pods can write to a volume, so a link in the volume must not lead out of it.
 * Every directory of the path is opened relative to the descriptor of its parent, so that a pod can't replace a
 * directory during the check. Upstream: pkg/volume/util/subpath/subpath_linux.go (mount-utils, v1.36).
 */
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, realpath, stat, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { bindMount, isMountPoint, unmountAll } from './mounts.ts';

const { O_NOFOLLOW, O_DIRECTORY } = constants;
/** The flag that opens a descriptor for a path without opening the file itself. */
const O_PATH = 0o10_000_000;
const permissions = 0o2777;

const isWithin = (path: string, base: string): boolean =>
  path === base || path.startsWith(base === sep ? base : `${base}${sep}`);
const segments = (base: string, path: string): readonly string[] => relative(base, path).split(sep).filter(Boolean);
const inDirectory = (handle: FileHandle, name: string): string => `/proc/self/fd/${handle.fd}/${name}`;

/**
 * Opens a path below `base` without following links. Upstream: doSafeOpen.
 * @throws Error for a link
 */
async function openWithin(base: string, path: string): Promise<FileHandle> {
  let handle = await open(base, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  for (const name of segments(base, path)) {
    const parent = handle;
    try {
      handle = await open(inDirectory(parent, name), O_PATH | O_NOFOLLOW);
    } finally {
      await parent.close();
    }
    if ((await handle.stat()).isSymbolicLink()) {
      await handle.close();
      throw new Error(`unexpected symlink found in ${path}`);
    }
  }
  return handle;
}

/**
 * Returns the resolved paths of the volume and of `path`.
 * @throws Error if the path leads out of the volume
 */
async function resolved(volume: string, path: string): Promise<{ readonly base: string; readonly path: string }> {
  const [base, target] = await Promise.all([realpath(volume), realpath(path)]);
  if (!isWithin(target, base)) throw new Error(`subpath "${target}" not within volume path "${base}"`);
  return { base, path: target };
}

async function existingPrefix(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    // A link without a target counts as existing. Otherwise, the directory to which it points would be created.
    const found = await lstat(at).catch(() => undefined);
    if (found) return at;
  }
}

/**
 * Creates the missing directories of a subpath with the permissions of the volume. Upstream: SafeMakeDir.
 * @throws Error if the existing part leads out of the volume
 */
export async function makeSubpath(volume: string, path: string): Promise<void> {
  const prefix = await existingPrefix(path);
  const start = await resolved(volume, prefix);
  const { mode } = await stat(volume);
  const missing = segments(prefix, path);
  if (platform() !== 'linux') {
    await mkdir(join(start.path, ...missing), { recursive: true, mode: mode & permissions });
    return;
  }
  let handle = await openWithin(start.base, start.path);
  try {
    for (const name of missing) {
      const made = inDirectory(handle, name);
      await mkdir(made, { mode: mode & permissions });
      const child = await open(made, O_PATH | O_DIRECTORY | O_NOFOLLOW);
      await handle.close();
      handle = child;
      // Set the mode again, because mkdir removes the bits of the umask from it.
      await chmod(`/proc/self/fd/${handle.fd}`, mode & permissions);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Returns the resolved path of a subpath. Used instead of a bind mount on machines that can't mount. There, a container
 * may change a link after this check and before the kubelet's container starts.
 */
export const resolveSubpath = async (volume: string, path: string): Promise<string> =>
  (await resolved(volume, path)).path;

/**
 * Binds a subpath to a path that no container can change. Upstream: doBindSubPath.
 * @returns the path to which the subpath was bound
 */
export async function bindSubpath(volume: string, path: string, target: string): Promise<string> {
  const real = await resolved(volume, path);
  const handle = await openWithin(real.base, real.path);
  try {
    const source = await handle.stat();
    if (await isMountPoint(target)) {
      const bound = await stat(target);
      if (bound.dev === source.dev && bound.ino === source.ino) return target;
      await unmountAll(target);
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o750 });
    if (source.isDirectory()) await mkdir(target, { recursive: true, mode: 0o750 });
    else await writeFile(target, '', { mode: 0o640 });
    await bindMount(`/proc/${process.pid}/fd/${handle.fd}`, target);
    return target;
  } finally {
    await handle.close();
  }
}
