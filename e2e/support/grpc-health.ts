/** Serves gRPC's health service on this machine, without TLS, for probes. */
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

export interface GrpcHealth {
  readonly port: number;
  serving: boolean;
  close(): void;
}

/** Returns an uncompressed gRPC message: its length, and field 1 with the status (1: SERVING, 2: NOT_SERVING). */
const answer = (serving: boolean): Buffer => Buffer.from([0, 0, 0, 0, 2, 0x08, serving ? 1 : 2]);

/** Serves on a free port of all addresses, so that containers can reach the service. */
export async function serveGrpcHealth(): Promise<GrpcHealth> {
  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const health = {
    port: 0,
    serving: true,
    close: () => {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
  // A probe that times out ends its connection.
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, { ':path': path }) => {
    stream.on('error', () => undefined);
    const known = path === '/grpc.health.v1.Health/Check';
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': known ? '0' : '12' }));
    stream.end(known ? answer(health.serving) : undefined);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  health.port = (server.address() as AddressInfo).port;
  return health;
}
