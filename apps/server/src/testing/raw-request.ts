/** Sends HTTP requests with exact headers over a plain socket. Ordinary HTTP clients change some headers. */
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

export interface RawRequest {
  readonly port: number;
  readonly method?: string;
  readonly path: string;
  /** Headers of the request, sent unchanged; `undefined` omits a header. Default of Host: the server's address. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** TLS options; if absent, the request uses plain HTTP. */
  readonly tls?: ConnectionOptions;
}

export interface RawAnswer {
  /** Status of the response; 0 if the server closed the connection without a response. */
  readonly status: number;
  /** Header lines and body, as received. */
  readonly text: string;
}

/**
 * Sends one request and returns the status of its response. The connection is closed as soon as the headers have
 * arrived.
 */
export function rawRequest({
  port,
  method = 'GET',
  path,
  headers = {},
  body = '',
  tls,
}: RawRequest): Promise<RawAnswer> {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  const text = `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = tls ? connectTls({ host: '127.0.0.1', port, ...tls }) : connect(port, '127.0.0.1');
    const done = (): void =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0), text: received });
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(text));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      // Close the connection of an accepted upgrade, which would stay open.
      if (received.startsWith('HTTP/1.1 101') && received.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', done);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
    );
  });
}

/** Returns the headers of an upgrade request. */
export const upgradeHeaders = (kind: 'websocket' | 'SPDY/3.1'): Readonly<Record<string, string>> =>
  kind === 'websocket'
    ? {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      }
    : { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v4.channel.k8s.io' };
