/** Serves sessions of the node over WebSocket, at `/stream`. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { maxClientMessage, type Session, type Transport } from '@podscope/node';
import { WebSocketServer } from 'ws';
import type { AccessControl, Refusal } from '../security/access.ts';
import { keepAlive } from './keep-alive.ts';
import { RateLimiter } from './rate-limiter.ts';
import { requestUrl } from './request-url.ts';

/** The maximum number of concurrent clients. */
const maxSessions = 100;
/**
 * The number of unread bytes above which the server doesn't read a client's messages until the client has caught up.
 */
const mostUnread = 4 * 1024 * 1024;
/** Interval at which the server checks whether a slow client has caught up, in milliseconds. */
const lookAgain = 50;
/** The time without a pong after which a client is disconnected, in milliseconds. */
const pingInterval = 30_000;

export interface Stream {
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  close(): void;
}

/** Responds to a rejected upgrade, in plain text unless another type is given. */
export function refuse(
  socket: Duplex,
  {
    status,
    message,
    type = 'text/plain; charset=utf-8',
  }: Pick<Refusal, 'message'> & { readonly status: number; readonly type?: string },
): void {
  const reason: Readonly<Record<number, string>> = {
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not Found',
    421: 'Misdirected Request',
    503: 'Service Unavailable',
  };
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${reason[status] ?? 'Error'}\r\nConnection: close\r\nContent-Type: ` +
      `${type}\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}

/** Provides the sessions of a stream: a node of this process, or a relay to another node. */
export interface StreamSource {
  connect(transport: Transport): Pick<Session, 'receive' | 'end' | 'closed'>;
}

/** Serves sessions of a node over WebSocket. */
export function createStream(node: StreamSource, access: AccessControl): Stream {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxClientMessage,
    clientTracking: true,
  });
  const pings = keepAlive(server, pingInterval);

  server.on('connection', (socket) => {
    pings.add(socket);
    const session = node.connect({
      send: (text) => socket.send(text),
      get bufferedAmount() {
        return socket.bufferedAmount;
      },
      close: (code, reason) => socket.close(code, reason.slice(0, 120)),
    });
    const limiter = new RateLimiter(() => performance.now());
    const readOn = (): void => {
      if (socket.bufferedAmount > mostUnread) setTimeout(readOn, lookAgain).unref();
      else socket.resume();
    };
    socket.on('message', (data, isBinary) => {
      const rest = Math.max(limiter.take((data as Buffer).length), socket.bufferedAmount > mostUnread ? lookAgain : 0);
      if (rest > 0 && !socket.isPaused) {
        socket.pause();
        setTimeout(readOn, rest).unref();
      }
      if (isBinary) session.end(1003, 'Messages are text.');
      else session.receive((data as Buffer).toString('utf8'));
    });
    socket.on('close', () => session.closed());
    // The `close` event follows every error and ends the session.
    socket.on('error', () => undefined);
  });

  return {
    onUpgrade: (request, socket, head) => {
      const refusal = access.checkOrigin(request) ?? access.checkToken(request);
      if (refusal) refuse(socket, refusal);
      else if (requestUrl(request).pathname !== '/stream')
        refuse(socket, { status: 404, message: 'The stream is at /stream.\n' });
      else if (server.clients.size >= maxSessions)
        refuse(socket, { status: 503, message: `At most ${maxSessions} clients at a time.\n` });
      else server.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request));
    },
    close: () => {
      pings.stop();
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
