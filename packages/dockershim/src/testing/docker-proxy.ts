/** Forwards connections to the engine's socket. A test closes the proxy to simulate a daemon that stops. */
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { engineSocket } from './docker-engine.ts';

/** A proxy whose connections can be closed. */
export interface DockerProxy {
  readonly host: string;
  /** Closes all connections and accepts no further ones. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function dockerProxy(path: string): Promise<DockerProxy> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const comeBack = async (): Promise<void> => {
    if (server) return;
    const listening = createServer((client) => {
      const engine = connect(engineSocket());
      for (const [from, to] of [
        [client, engine],
        [engine, client],
      ] as const) {
        sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => sockets.delete(from));
      }
    });
    await new Promise<void>((resolve) => listening.listen(path, resolve));
    server = listening;
  };
  const goAway = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    if (!closing) return;
    const closed = new Promise((resolve) => closing.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
    await rm(path, { force: true });
  };
  await comeBack();
  return { host: `unix://${path}`, goAway, comeBack };
}
