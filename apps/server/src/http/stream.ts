/** The WebSocket at `/stream`: carries a cluster session. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cluster } from '@podscope/cluster';
import { maxClientMessage } from '@podscope/cluster';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AccessControl, Refusal } from '../security/access.ts';
import { Intake } from './intake.ts';
import { requestUrl } from './request-url.ts';

/** Clients at a time. */
const maxSessions = 100;
/** Who leaves so many bytes of answers unread is not read either, until it has taken some. */
const mostUnread = 4 * 1024 * 1024;
/** How often such a client is looked at again, in milliseconds. */
const lookAgain = 50;
/** A client that answers no ping for so long is gone, in milliseconds. */
const pingInterval = 30_000;

export interface Stream {
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  close(): void;
}

/** Answers an upgrade that is refused, in plain text unless another type is given. */
export function refuse(
  socket: Duplex,
  { status, message, type = 'text/plain; charset=utf-8' }: Pick<Refusal, 'message'> & { readonly status: number; readonly type?: string },
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
    `HTTP/1.1 ${status} ${reason[status] ?? 'Error'}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}

/** Serves sessions of a node over WebSocket. */
export function createStream(node: Pick<Cluster, 'connect'>, access: AccessControl): Stream {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: maxClientMessage, clientTracking: true });
  const alive = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, pingInterval);
  pings.unref();

  server.on('connection', (socket) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    const session = node.connect({
      send: (text) => socket.send(text),
      get bufferedAmount() {
        return socket.bufferedAmount;
      },
      close: (code, reason) => socket.close(code, reason.slice(0, 120)),
    });
    const intake = new Intake(() => performance.now());
    const readOn = (): void => {
      if (socket.bufferedAmount > mostUnread) setTimeout(readOn, lookAgain).unref();
      else socket.resume();
    };
    socket.on('message', (data, isBinary) => {
      const rest = Math.max(intake.take((data as Buffer).length), socket.bufferedAmount > mostUnread ? lookAgain : 0);
      if (rest > 0 && !socket.isPaused) {
        socket.pause();
        setTimeout(readOn, rest).unref();
      }
      if (isBinary) session.end(1003, 'Messages are text.');
      else session.receive((data as Buffer).toString('utf8'));
    });
    socket.on('close', () => session.closed());
    // Followed by close.
    socket.on('error', () => undefined);
  });

  return {
    onUpgrade: (request, socket, head) => {
      const refusal = access.checkOrigin(request) ?? access.checkToken(request);
      if (refusal) refuse(socket, refusal);
      else if (requestUrl(request).pathname !== '/stream') refuse(socket, { status: 404, message: 'The stream is at /stream.\n' });
      else if (server.clients.size >= maxSessions) refuse(socket, { status: 503, message: `At most ${maxSessions} clients at a time.\n` });
      else server.handleUpgrade(request, socket, head, (webSocket) => server.emit('connection', webSocket, request));
    },
    close: () => {
      clearInterval(pings);
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
