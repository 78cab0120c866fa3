/**
 * Serves HTTP and HTTPS on one port. The first byte of a connection shows which of the two it is. On loopback both are
 * needed: the page uses plain HTTP, and kubectl sends its token only over TLS. With a certificate that the user
 * provides, only HTTPS is served.
 */
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartError } from '../start-error.ts';

/** First byte of a TLS handshake record. */
const tlsHandshake = 0x16;
/** The time during which a rejected client can still read the reason, in milliseconds. */
const lastMoment = 1_000;
const maxConnections = 1_024;

/** Time limits of a request, in milliseconds. */
interface RequestTimes {
  /** Maximum time until the first byte of a connection. */
  readonly firstByte: number;
  /** Maximum time until the headers of a request are complete. */
  readonly headers: number;
  /** Maximum time until a request is complete. It allows the upload of a trace file of 256 MiB over a slow network. */
  readonly request: number;
  readonly tlsHandshake: number;
  /** Interval between two checks of the timeouts. */
  readonly checked: number;
}

const defaultTimes: RequestTimes = {
  firstByte: 10_000,
  headers: 15_000,
  request: 300_000,
  tlsHandshake: 10_000,
  checked: 5_000,
};

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface DualServer {
  readonly port: number;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

export interface DualServerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** Serves HTTPS only and rejects plain HTTP with a message. Default: false. */
  readonly tlsOnly?: boolean;
  readonly times?: RequestTimes;
  readonly onRequest: RequestListener;
  readonly onUpgrade: UpgradeListener;
}

/**
 * Rejects a plain HTTP request with a message. The request is not executed, because its token has crossed the network
 * in clear text.
 */
const httpsOnly =
  'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\nClient sent an HTTP request ' +
  'to an HTTPS server.\n';

/** Passes a connection to the HTTP or HTTPS server when its first byte arrives. */
function dispatch(socket: Socket, firstByte: number, http: HttpServer | undefined, https: HttpServer): void {
  socket.setTimeout(firstByte, () => socket.destroy());
  // Ignore errors that occur before one of the servers handles the connection.
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
    } else endWith(socket, httpsOnly);
  };
  look();
}

/** Responds to malformed HTTP and closes the connection. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else endWith(socket, `HTTP/1.1 ${brokenStatus(error.code)}\r\nConnection: close\r\n\r\n`);
}

/** Sends a last response, gives the client time to read it, then destroys the connection. */
function endWith(socket: Duplex, answer: string): void {
  socket.end(answer);
  setTimeout(() => socket.destroy(), lastMoment).unref();
}

function brokenStatus(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
}

/**
 * Listens.
 * @throws StartError if the address is in use or not available
 */
export async function startDualServer(options: DualServerOptions): Promise<DualServer> {
  const { host, port, certificate, key, tlsOnly = false, times = defaultTimes, onRequest, onUpgrade } = options;
  const limits = {
    headersTimeout: times.headers,
    requestTimeout: times.request,
    connectionsCheckingInterval: times.checked,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 30_000,
  };
  const http = createHttpServer(limits, onRequest);
  const https = createHttpsServer(
    { ...limits, handshakeTimeout: times.tlsHandshake, cert: certificate, key, minVersion: 'TLSv1.2' },
    onRequest,
  );
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    dispatch(socket, times.firstByte, tlsOnly ? undefined : http, https);
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
  // These servers don't listen themselves. They start to check request timeouts only at this event.
  for (const each of [http, https]) each.emit('listening');
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
      return new StartError(
        `port ${port} on ${host} is in use: stop the program that listens there, or choose another port with --port`,
        options,
      );
    case 'EACCES':
      return new StartError(
        `port ${port} on ${host} requires privileges: choose a port above 1023 with --port`,
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is not an address of this machine: choose another with --host`, options);
    default:
      return new StartError(`cannot listen on ${host}:${port}: ${error.message}`, options);
  }
}
