/** A proxy in front of the engine's socket, to simulate a daemon that goes away. */
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { defaultDockerHost } from '../docker/endpoint.ts';

/** A connection to the engine that can be cut. */
export interface DockerProxy {
  readonly host: string;
  /** Closes all connections and accepts no more. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function dockerProxy(path: string): Promise<DockerProxy> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const comeBack = async (): Promise<void> => {
    if (server) return;
    const listening = createServer((client) => {
      const engine = connect(defaultDockerHost.slice('unix://'.length));
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
