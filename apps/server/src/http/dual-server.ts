/**
 * HTTP and HTTPS on one port: the first byte of a connection tells which it is. The page is read over plain HTTP on loopback; kubectl sends
 * its token only over TLS. With a certificate of the user's own there is HTTPS alone.
 */
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartError } from '../start-error.ts';

/** First byte of a TLS handshake record. */
const tlsHandshake = 0x16;
/** A connection that says nothing for so long is closed, in milliseconds. */
const firstByteTimeout = 10_000;
const maxConnections = 1_024;

const limits = { headersTimeout: 15_000, requestTimeout: 60_000, maxHeaderSize: 16 * 1024, keepAliveTimeout: 30_000 };

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface DualServer {
  readonly port: number;
  /** Takes no more connections and ends those there are. */
  close(): Promise<void>;
}

export interface DualServerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** HTTPS alone is served, plain HTTP told so. Default: false. */
  readonly tlsOnly?: boolean;
  readonly onRequest: RequestListener;
  readonly onUpgrade: UpgradeListener;
}

/** Whatever a plain request holds, its token too, has crossed the network already: nothing is done with it. */
const httpsOnly = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Hands a connection to the server that understands it, once its first byte is there. */
function dispatch(socket: Socket, http: HttpServer | undefined, https: HttpServer): void {
  socket.setTimeout(firstByteTimeout, () => socket.destroy());
  // A connection that breaks before anybody owns it is nobody's concern.
  const ignore = (): void => void socket.destroy();
  socket.on('error', ignore);
  const look = (): void => {
    const first = socket.read(1) as Buffer | null;
    if (first === null) {
      socket.once('readable', look);
      return;
    }
    socket.setTimeout(0);
    socket.removeAllListeners('timeout');
    socket.unshift(first);
    const server = first[0] === tlsHandshake ? https : http;
    if (server) {
      server.emit('connection', socket);
      socket.off('error', ignore);
    } else socket.end(httpsOnly);
  };
  look();
}

/** What is no HTTP gets a short answer and the end. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
}

/**
 * Listens.
 * @throws StartError when the address is taken or can't be had.
 */
export async function startDualServer({ host, port, certificate, key, tlsOnly = false, onRequest, onUpgrade }: DualServerOptions): Promise<DualServer> {
  const http = createHttpServer(limits, onRequest);
  const https = createHttpsServer({ ...limits, cert: certificate, key, minVersion: 'TLSv1.2' }, onRequest);
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    dispatch(socket, tlsOnly ? undefined : http, https);
  });
  server.maxConnections = maxConnections;
  for (const each of [http, https]) {
    each.on('upgrade', onUpgrade);
    each.on('clientError', refuseBroken);
  }
  https.on('tlsClientError', (_error, socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        http.close();
        https.close();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): StartError {
  const options = { cause: error };
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`port ${port} on ${host} is taken: stop what listens there, or choose another with --port`, options);
    case 'EACCES':
      return new StartError(`port ${port} on ${host} is not permitted to this user: choose one above 1023 with --port`, options);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is no address of this machine: choose another with --host`, options);
    default:
      return new StartError(`cannot listen on ${host}:${port}: ${error.message}`, options);
  }
}
