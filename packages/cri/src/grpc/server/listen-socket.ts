/**
 * Creates a Unix socket without a moment in which other users could connect: it is bound in a private directory, gets
 * its permissions and is moved. Replaces a stale socket, but never one that a server listens on.
 */
import { chmod, lstat, mkdir, mkdtemp, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';

const systemCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Returns true if a server listens on the socket. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** @throws Error if a server listens on the path or it isn't a socket */
async function requireFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} is there already and is no socket: name another path, or remove it`);
  if (await answers(path)) throw new Error(`another server listens on ${path}: stop it, or name another path`);
}

/** A listening socket. */
export interface ListeningSocket {
  /** Removes it, unless the path has been replaced. */
  remove(): Promise<void>;
}

/**
 * Creates a socket at `path`.
 * @param bind listens on the given path
 * @param mode the socket's permissions; its users are as powerful as root
 * @throws Error naming the path and the remedy
 */
export async function placeSocket(
  path: string,
  mode: number,
  bind: (path: string) => Promise<void>,
): Promise<ListeningSocket> {
  await requireFree(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  // A short name, because socket paths have a length limit.
  const folder = await mkdtemp(join(dirname(path), '.s'));
  const temporary = join(folder, 's');
  try {
    await bind(temporary);
    await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  await rmdir(folder);
  const { ino } = await lstat(path);
  return {
    async remove() {
      const now = await lstat(path).catch(() => undefined);
      if (now?.ino === ino) await unlink(path);
    },
  };
}
