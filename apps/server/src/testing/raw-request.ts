/** Requests as no client of good manners makes them: header for header over a bare connection. */
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

export interface RawRequest {
  readonly port: number;
  readonly method?: string;
  readonly path: string;
  /** Sent as they are; `undefined` leaves one out. Host is the server's unless given. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** Over TLS, with these options. */
  readonly tls?: ConnectionOptions;
}

export interface RawAnswer {
  /** 0 when the server closed without an answer. */
  readonly status: number;
  /** Header lines and body, as they came. */
  readonly text: string;
}

/** Sends one request and reads the status of its answer; the connection is closed as soon as the headers are there. */
export function rawRequest({ port, method = 'GET', path, headers = {}, body = '', tls }: RawRequest): Promise<RawAnswer> {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const text = `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = tls ? connectTls({ host: '127.0.0.1', port, ...tls }) : connect(port, '127.0.0.1');
    const done = (): void => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0), text: received });
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      // What was accepted as an upgrade stays open.
      if (received.startsWith('HTTP/1.1 101') && received.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', done);
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error)));
  });
}

/** The headers of a request for an upgrade. */
export const upgradeHeaders = (kind: 'websocket' | 'SPDY/3.1'): Readonly<Record<string, string>> =>
  kind === 'websocket'
    ? { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' }
    : { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v4.channel.k8s.io' };
