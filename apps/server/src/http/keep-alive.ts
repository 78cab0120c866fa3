/** Disconnects WebSocket clients that no longer answer pings. */
import type { WebSocket, WebSocketServer } from 'ws';

export interface KeepAlive {
  /** Marks a new connection as alive. */
  add(socket: WebSocket): void;
  stop(): void;
}

/**
 * Pings all clients of a server. Disconnects a client that hasn't answered the last ping.
 * @param interval milliseconds between pings
 */
export function keepAlive(server: WebSocketServer, interval: number): KeepAlive {
  const alive = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, interval);
  pings.unref();
  return {
    add: (socket) => {
      alive.add(socket);
      socket.on('pong', () => alive.add(socket));
    },
    stop: () => clearInterval(pings),
  };
}
