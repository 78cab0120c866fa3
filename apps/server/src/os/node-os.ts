/**
 * Implements the kubelet's file operations on a real file system. Upstream: kubecontainer.OSInterface
 * (pkg/kubelet/container/os.go, v1.36).
 */
import { createReadStream, createWriteStream } from 'node:fs';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { OSInterface } from '@podscope/kuberuntime';
import { isMountPoint, mountPointsBelow, mountsWork, mountTmpfs, unmountAll } from './mounts.ts';
import { bindSubpath, makeSubpath, resolveSubpath } from './subpaths.ts';
import { setVolumeOwnership } from './volume-ownership.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Returns the result of `action`, or `fallback` when the file doesn't exist. */
async function orWhenAbsent<T>(action: Promise<T>, fallback: T): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return fallback;
    throw error;
  }
}

/** The unit of `blocks` in a file's status, in bytes. It doesn't depend on the file system's block size. */
const blockSize = 512;

/**
 * Returns the number of blocks of a file, or of a directory with everything below it on the same device. A file that
 * disappears during the count counts as 0.
 */
async function blocksBelow(path: string, device: number): Promise<number> {
  const facts = await orWhenAbsent(lstat(path), undefined);
  if (!facts || facts.dev !== device) return 0;
  let blocks = facts.blocks;
  if (facts.isDirectory())
    for (const name of await orWhenAbsent(readdir(path), [])) blocks += await blocksBelow(join(path, name), device);
  return blocks;
}

const isRoot = process.getuid?.() === 0;

/** Implements the kubelet's file operations with the file system of this machine. */
export class NodeOS implements OSInterface {
  readonly mountTmpfs: OSInterface['mountTmpfs'];
  readonly prepareSubpath: NonNullable<OSInterface['prepareSubpath']>;
  readonly makeSubpath = makeSubpath;
  // Set only for root, because only root may change the owner and group of files.
  readonly setVolumeOwnership: OSInterface['setVolumeOwnership'] = isRoot ? setVolumeOwnership : undefined;
  readonly chown: OSInterface['chown'] = isRoot ? (path, user) => lchown(path, user, -1) : undefined;
  readonly isMountPoint = isMountPoint;
  readonly mountPointsBelow = mountPointsBelow;
  readonly unmountAll = unmountAll;

  /** @param mounts true if mounts work on this machine, as {@link mountsWork} determines */
  constructor({ mounts }: { readonly mounts: boolean }) {
    this.mountTmpfs = mounts ? mountTmpfs : undefined;
    this.prepareSubpath = mounts ? bindSubpath : resolveSubpath;
  }

  /**
   * Returns the disk usage as `du -x` computes it, without other file systems. Unlike `du`, counts a file once per hard
   * link.
   */
  async diskUsage(path: string): Promise<number> {
    const { dev } = await lstat(path);
    return blocksBelow(path, dev).then((blocks) => blocks * blockSize);
  }

  /** Returns the capacity of a path's file system; undefined if the path is on another machine. */
  async diskSpace(
    path: string,
  ): Promise<{ readonly capacityBytes: number; readonly availableBytes: number } | undefined> {
    const found = await statfs(path).catch(() => undefined);
    return found && { capacityBytes: found.blocks * found.bsize, availableBytes: found.bavail * found.bsize };
  }

  async fileSize(path: string): Promise<number | undefined> {
    return (await orWhenAbsent(stat(path), undefined))?.size;
  }

  /** Writes the compressed file under a temporary name, so that a reader never finds half of it. */
  async compress(path: string): Promise<void> {
    const temporary = `${path}.tmp`;
    const { mode } = await stat(path);
    try {
      await pipeline(createReadStream(path), createGzip(), createWriteStream(temporary, { mode }));
      await rename(temporary, `${path}.gz`);
    } finally {
      await rm(temporary, { force: true });
    }
    await unlink(path);
  }

  async fileType(
    path: string,
  ): Promise<'file' | 'directory' | 'socket' | 'characterDevice' | 'blockDevice' | undefined> {
    const found = await orWhenAbsent(stat(path), undefined);
    if (found?.isFile()) return 'file';
    if (found?.isDirectory()) return 'directory';
    if (found?.isSocket()) return 'socket';
    if (found?.isCharacterDevice()) return 'characterDevice';
    return found?.isBlockDevice() ? 'blockDevice' : undefined;
  }

  async mkdirAll(path: string, mode: number): Promise<void> {
    const first = await mkdir(path, { recursive: true, mode });
    // Set the mode of every created directory again, because mkdir removes the bits of the umask from the mode.
    if (first !== undefined)
      for (let made = path; made.length >= first.length; made = join(made, '..')) await chmod(made, mode);
  }

  async writeFile(path: string, content: string | Uint8Array, mode: number): Promise<void> {
    await writeFile(path, content, { mode });
    await chmod(path, mode);
  }

  readFile(path: string): Promise<Uint8Array | undefined> {
    return orWhenAbsent<Uint8Array | undefined>(readFile(path), undefined);
  }

  async readTail(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const file = await orWhenAbsent(open(path, 'r'), undefined);
    if (!file) return undefined;
    try {
      const { size } = await file.stat();
      const length = Math.min(size, maxBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async readDir(path: string): Promise<readonly string[]> {
    return (await orWhenAbsent(readdir(path), [])).toSorted();
  }

  async exists(path: string): Promise<boolean> {
    return (await orWhenAbsent(stat(path), undefined)) !== undefined;
  }

  symlink(target: string, link: string): Promise<void> {
    return symlink(target, link);
  }

  readLink(path: string): Promise<string | undefined> {
    return readlink(path).catch(() => undefined);
  }

  rename(from: string, to: string): Promise<void> {
    return rename(from, to);
  }

  async remove(path: string): Promise<void> {
    const found = await orWhenAbsent(lstat(path), undefined);
    if (found) await orWhenAbsent(found.isDirectory() ? rmdir(path) : unlink(path), undefined);
  }

  removeDirectory(path: string): Promise<void> {
    return rmdir(path);
  }

  async removeDirectories(path: string): Promise<void> {
    const entries = await orWhenAbsent(readdir(path, { withFileTypes: true }), undefined);
    if (!entries) return;
    for (const entry of entries) if (entry.isDirectory()) await this.removeDirectories(join(path, entry.name));
    await rmdir(path);
  }

  removeAll(path: string): Promise<void> {
    return rm(path, { recursive: true, force: true });
  }

  chmod(path: string, mode: number): Promise<void> {
    return chmod(path, mode);
  }
}

/** Returns the file system of this machine, and notices about features that don't work on this machine. */
export async function openNodeOS(
  rootDir: string,
): Promise<{ readonly os: NodeOS; readonly notices: readonly string[] }> {
  await mkdir(rootDir, { recursive: true, mode: 0o750 });
  const mounts = await mountsWork(rootDir);
  const notice =
    'Nothing can be mounted here (only root can, where the engine sees it): ' +
    `secrets, tokens and volumes in memory lie on disk, below ${rootDir}.`;
  return { os: new NodeOS({ mounts }), notices: mounts ? [] : [notice] };
}
