/**
 * Creates the relay's sockets with the owner and the mode of the runtime's socket, or uses the socket that systemd
 * passed.
 */
import { chown, stat } from 'node:fs/promises';
import type { Server } from 'node:net';
import { type ListeningSocket, placeSocket } from '@podscope/cri/listen-socket';

/** The first file descriptor that systemd passes to a process. Upstream: SD_LISTEN_FDS_START. */
const firstInherited = 3;
const privateMode = 0o600;

/** The owner and permissions of a socket. */
export interface SocketAccess {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/**
 * Returns the owner and permissions of the runtime's socket. If the socket doesn't exist yet, returns permissions that
 * only this user has.
 */
export async function accessOf(path: string): Promise<SocketAccess> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, mode: privateMode };
  return { uid: found.uid, gid: found.gid, mode: found.mode & 0o777 };
}

/**
 * Makes a server listen on a new socket at `path`.
 * @throws Error if another server listens there, or if the owner can't be set
 */
export function listenWith(server: Server, path: string, { uid, gid, mode }: SocketAccess): Promise<ListeningSocket> {
  return placeSocket(path, mode, async (temporary) => {
    await listening(server, { path: temporary });
    const own = await stat(temporary);
    if (own.uid !== uid || own.gid !== gid) await chown(temporary, uid, gid);
  });
}

/** Returns true if systemd passed a listening socket to this process. */
export function isSocketPassed({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv): boolean {
  return Number(LISTEN_PID) === process.pid && Number(LISTEN_FDS) >= 1;
}

/** Makes a server listen on the socket that systemd passed. */
export const listenOnPassed = (server: Server): Promise<void> => listening(server, { fd: firstInherited });

function listening(server: Server, where: { path: string } | { fd: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
