/**
 * Creates a Unix socket to which other users can't connect at any moment: the socket is created in a private directory,
 * gets its permissions, and is moved to its path. Replaces a socket that a server left behind, but not one on which a
 * server listens.
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

/**
 * Checks that a socket can be created at the path.
 * @throws Error if a server listens on the path or the path isn't a socket
 */
async function requireFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} exists and is not a socket: choose another path, or remove it`);
  if (await answers(path)) throw new Error(`another server listens on ${path}: stop it, or name another path`);
}

/** A listening socket. */
export interface ListeningSocket {
  /** Removes the socket, unless another one has replaced it. */
  remove(): Promise<void>;
}

/**
 * Creates a socket at `path`.
 * @param bind listens on the path that it receives
 * @param mode the permissions of the socket; every user who can open it has as much power as root
 * @throws Error that names the path and the remedy
 */
export async function placeSocket(
  path: string,
  mode: number,
  bind: (path: string) => Promise<void>,
): Promise<ListeningSocket> {
  await requireFree(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  // The name is short, because the length of a socket's path is limited.
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
