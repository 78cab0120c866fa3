/** Serves DAP sessions over a pair of streams, a local port, or a Unix socket. */
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { isPackaged } from '@podscope/command-line';
import { repositoryRoot } from '@podscope/server/embed';
import { FramingError, frameMessage, MessageReader } from './framing.ts';
import { DapSession } from './session.ts';

/** Serves one DAP client. Resolves when the client disconnects. */
export function serveClient(
  input: Readable,
  output: Writable,
  options: { readonly token?: string | undefined },
): Promise<void> {
  return new Promise((resolve) => {
    const reader = new MessageReader();
    const session = new DapSession({
      // The npm package contains the engine's source files in the directory `engine`.
      root: isPackaged ? join(repositoryRoot, 'engine') : repositoryRoot,
      servesSources: isPackaged,
      send: (message) => void output.write(frameMessage(message)),
      onEnd: resolve,
      ...(options.token === undefined ? {} : { token: options.token }),
    });
    let work: Promise<void> = Promise.resolve();
    input.on('data', (chunk: Buffer) => {
      try {
        // Handle requests one after the other, because a request may depend on a breakpoint that an earlier request
        // sets.
        for (const message of reader.push(chunk)) work = work.then(() => session.receive(message));
      } catch (error) {
        if (!(error instanceof FramingError)) throw error;
        input.destroy();
        void session.close();
      }
    });
    for (const event of ['end', 'close', 'error']) input.on(event, () => void session.close());
    output.on('error', () => void session.close());
  });
}

/** A listener that accepts DAP clients. */
export interface DapListener {
  /** `127.0.0.1:4711`, or the path of the socket. */
  readonly address: string;
  /** Ends every session and the nodes that were launched for them. */
  close(): Promise<void>;
}

/**
 * Starts a listener.
 * @param where a port on 127.0.0.1 (0 for a free port), or the path of a Unix socket
 * @param token the value that clients must send as `adapterToken`
 */
export async function listenForClients(where: string, token: string | undefined): Promise<DapListener> {
  const isPort = /^\d+$/.test(where);
  const sessions = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const session = serveClient(socket, socket, { token }).then(() => {
      socket.end();
      sessions.delete(socket);
    });
    sessions.set(socket, session);
  });
  if (isPort)
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(Number(where), '127.0.0.1', resolve),
    );
  else {
    // Set the umask, because only this user may use the socket from the moment at which it is created.
    const before = process.umask(0o177);
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
    } finally {
      process.umask(before);
    }
  }
  return {
    address: isPort ? `127.0.0.1:${(server.address() as AddressInfo).port}` : where,
    close: async () => {
      server.close();
      const ending = [...sessions.values()];
      for (const socket of sessions.keys()) socket.destroy();
      await Promise.all(ending);
      if (!isPort) await rm(where, { force: true });
    },
  };
}
