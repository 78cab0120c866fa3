/** Simulates a slow connection between a browser and a local server, with limited bandwidth and latency. */
import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface Wire {
  /** The server's URL with the port of the proxy. */
  readonly url: string;
  cut(): Promise<void>;
}

export interface WireOptions {
  readonly bitsPerSecond: number;
  /** Round trip in milliseconds; a new connection costs one more. */
  readonly roundTrip: number;
}

/** Number of bytes sent at once. */
const packet = 16 * 1_024;

/**
 * Starts a proxy in front of the server that simulates the slow connection.
 * @param url URL of the server, with its port
 */
export async function slowWire(url: string, { bitsPerSecond, roundTrip }: WireOptions): Promise<Wire> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  // Time at which the connection is free. All connections share the bandwidth, so data waits for everything that was
  // sent earlier on any of them.
  let freeAt = 0;
  const carry = async (from: Socket, to: Socket, isDownload: boolean): Promise<void> => {
    const arrivals: Promise<unknown>[] = [];
    let order: Promise<unknown> = Promise.resolve();
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.byteLength; at += packet) {
        const part = chunk.subarray(at, at + packet);
        const now = performance.now();
        const sentAt = isDownload ? Math.max(now, freeAt) + (part.byteLength * 8_000) / bitsPerSecond : now;
        if (isDownload) freeAt = sentAt;
        const before = order;
        order = pause(sentAt + roundTrip / 2 - now).then(async () => {
          await before;
          if (to.writable) to.write(part);
        });
        arrivals.push(order);
        if (isDownload) await pause(sentAt - now);
      }
    }
    await Promise.all(arrivals);
    to.end();
  };
  const join = async (client: Socket): Promise<void> => {
    await pause(roundTrip);
    const host = createConnection(Number(target.port), target.hostname);
    host.on('error', () => client.destroy());
    sockets.add(host);
    await Promise.all([carry(client, host, false), carry(host, client, true)]);
  };
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    join(client).catch(() => client.destroy());
  });
  await new Promise<void>((listening) => {
    server.listen(0, target.hostname, listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const near = new URL(url);
  near.port = String(address.port);
  return {
    url: near.href,
    cut: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}
