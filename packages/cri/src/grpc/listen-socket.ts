/**
 * Puts a Unix socket where it is wanted, without a moment in which others could reach it: it is bound in a directory that only we can enter,
 * given its permissions there, and moved. What a server that died left behind is replaced; a socket that answers is not touched.
 */
import { chmod, lstat, mkdir, mkdtemp, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';

const systemCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Connects and hangs up. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** @throws Error when the path is taken by a living server, or by something that is no socket */
async function requireFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} is there already and is no socket: name another path, or remove it`);
  if (await answers(path)) throw new Error(`another server listens on ${path}: stop it, or name another path`);
}

/** A socket in its place. */
export interface ListeningSocket {
  /** Takes it away, unless another has taken the path since. */
  remove(): Promise<void>;
}

/**
 * @param bind listens on the path it is given
 * @param mode permissions of the socket: who may connect is as powerful as root
 * @throws Error naming the path and the remedy
 */
export async function placeSocket(path: string, mode: number, bind: (path: string) => Promise<void>): Promise<ListeningSocket> {
  await requireFree(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  // Short, for the sake of the length limit of socket paths.
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
