/**
 * Serves port-forward over plain WebSocket channels. The request contains the ports. Port i of the request, counted
 * from 0, has channel 2i for data and channel 2i + 1 for errors. Upstream: websocketStreamHandler (kubelet portforward,
 * v1.36).
 */
import { ChannelSocket } from '../remote-command/web-socket.ts';
import type { AcceptedWebSocket } from '../upgrade.ts';
import { failureText, type PortForwardHandler } from './handler.ts';

/** Serves all ports until each has ended or the client is gone. */
export async function serveChannels(
  socket: AcceptedWebSocket,
  ports: readonly number[],
  handler: PortForwardHandler,
  signalOf: (closed: Promise<void>) => AbortSignal,
): Promise<void> {
  const connection = new ChannelSocket(
    socket,
    ports.map((_, index) => index * 2),
  );
  const signal = signalOf(connection.closed);
  await Promise.all(
    ports.map(async (port, index) => {
      const [data, error] = [index * 2, index * 2 + 1];
      const littleEndian = Buffer.from([port & 255, port >> 8]);
      try {
        await connection.send(data, littleEndian);
        await connection.send(error, littleEndian);
        await handler(
          port,
          { source: connection.source(data), write: (bytes) => connection.send(data, bytes) },
          signal,
        );
      } catch (failure) {
        await connection.send(error, Buffer.from(failureText(port, failure))).catch(() => undefined);
      }
    }),
  );
  await connection.close();
}
