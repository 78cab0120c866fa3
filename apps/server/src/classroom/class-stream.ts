/** Serves a class over WebSocket at `/class`: one connection per learner and teacher. */
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  classProtocol,
  type FromServer,
  fromLearnerSchema,
  fromTeacherSchema,
  type LearnerMessage,
  type RefusalReason,
  type TeacherMessage,
} from '@podscope/classroom';
import { type WebSocket, WebSocketServer } from 'ws';
import type { UpgradeListener } from '../http/dual-server.ts';
import { keepAlive } from '../http/keep-alive.ts';
import { RateLimiter, type RateLimits } from '../http/rate-limiter.ts';
import { requestUrl } from '../http/request-url.ts';
import { refuse } from '../http/stream.ts';
import type { AccessControl } from '../security/access.ts';
import type { Classroom, ClassSeat } from './classroom.ts';
import { JoinGuard } from './join-guard.ts';
import type { Peer } from './members.ts';

/** The maximum number of concurrent connections of learners. The teacher, who has the token, is always admitted. */
const maxConnections = 300;
/**
 * The maximum number of connections from one address that haven't joined yet. Learners who have joined don't count,
 * because a whole school may share an address.
 */
const maxPendingPerAddress = 50;
/** The maximum length of a message, in bytes. Parts of a run are the longest messages. */
const maxMessage = 2 * 1024 * 1024;
/**
 * The number of unread bytes at which a client is disconnected. When it connects again, it continues after the last
 * event that it has received.
 */
const mostUnread = 32 * 1024 * 1024;
/**
 * The number of bytes that all clients together may leave unread. Beyond it, the client with the most is disconnected,
 * so that clients that don't read can't exhaust the memory.
 */
const mostUnreadOfAll = 96 * 1024 * 1024;
/** The maximum time until a connection sends its hello, in milliseconds. */
const helloTime = 10_000;
/** The time without a pong after which a client is disconnected, in milliseconds. */
const pingInterval = 15_000;

/** Limits for a learner's messages, which are few: places, answers, and the events of a run on request. */
const learnerLimits: RateLimits = { messagesPerSecond: 40, bytesPerSecond: 1024 * 1024 };
const teacherLimits: RateLimits = { messagesPerSecond: 200, bytesPerSecond: 16 * 1024 * 1024 };

export interface ClassStreamOptions {
  readonly classroom: Classroom;
  readonly access: AccessControl;
  /** Origins of the static sites whose pages may join the class. */
  readonly sites: readonly string[];
  /** True to accept the teacher's token over plain HTTP from other machines. */
  readonly insecure: boolean;
}

export interface ClassStream {
  readonly onUpgrade: UpgradeListener;
  close(): void;
}

const isLoopbackAddress = (address = ''): boolean => {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
};

/** Returns true for a connection that hides the teacher's token from others: TLS, or a connection from this machine. */
export const isPrivate = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean =>
  (socket as Partial<TLSSocket>).encrypted === true || isLoopbackAddress(socket.remoteAddress);

type Seat = ClassSeat<LearnerMessage> | ClassSeat<TeacherMessage>;

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

/** Starts serving a class. */
export function createClassStream({ classroom, access, sites, insecure }: ClassStreamOptions): ClassStream {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: maxMessage });
  const guard = new JoinGuard(() => performance.now());
  const pings = keepAlive(server, pingInterval);
  /** The number of connections by address that haven't joined yet. */
  const pending = new Map<string, number>();

  const peerOf = (socket: WebSocket): Peer => ({
    send: (message) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > mostUnread) socket.terminate();
      else socket.send(message);
      if (socket.bufferedAmount > 0) limitUnread(server.clients);
    },
    refuse: (reason) => refusePeer(socket, reason),
  });

  /**
   * Adds the learner to the class.
   * @returns undefined if the class rejected the learner
   */
  function joinLearner(socket: WebSocket, message: unknown, address: string): Seat | undefined {
    const hello = fromLearnerSchema.safeParse(message);
    if (!hello.success || hello.data.type !== 'hello' || hello.data.protocol !== classProtocol) {
      refusePeer(socket, 'protocol');
      return undefined;
    }
    // Another learner may share the address, so a wrong code doesn't keep those out who have joined.
    if (!guard.mayTry(address) && !classroom.knows(hello.data.resume)) {
      refusePeer(socket, 'tooMany');
      return undefined;
    }
    const peer = peerOf(socket);
    return classroom.join(
      {
        ...peer,
        refuse: (reason) => {
          if (reason === 'code') guard.wasWrong(address);
          peer.refuse(reason);
        },
      },
      hello.data,
      address,
    );
  }

  function joinTeacher(socket: WebSocket, message: unknown): Seat | undefined {
    const hello = fromTeacherSchema.safeParse(message);
    if (hello.success && hello.data.type === 'hello' && hello.data.protocol === classProtocol)
      return classroom.teach(peerOf(socket), hello.data);
    refusePeer(socket, 'protocol');
    return undefined;
  }

  /** Passes a message to the seat. @returns false for an invalid message */
  function hear(seat: Seat, message: unknown, isTeacher: boolean): boolean {
    const parsed = (isTeacher ? fromTeacherSchema : fromLearnerSchema).safeParse(message);
    if (!parsed.success || parsed.data.type === 'hello') return false;
    if (parsed.data.type === 'run') seat.run(parsed.data.part);
    else (seat as ClassSeat<LearnerMessage | TeacherMessage>).receive(parsed.data.n, parsed.data.body);
    return true;
  }

  const count = (address: string, change: 1 | -1): void => {
    const now = (pending.get(address) ?? 0) + change;
    if (now > 0) pending.set(address, now);
    else pending.delete(address);
  };
  const isFull = (address: string): boolean =>
    server.clients.size >= maxConnections || (pending.get(address) ?? 0) >= maxPendingPerAddress;

  function serve(socket: WebSocket, isTeacher: boolean, address: string): void {
    pings.add(socket);
    let isPending = !isTeacher;
    if (isPending) count(address, 1);
    const settle = (): void => {
      if (isPending) count(address, -1);
      isPending = false;
    };
    let seat: Seat | undefined;
    const late = setTimeout(() => socket.close(4008, 'No hello.'), helloTime);
    late.unref();
    const limiter = new RateLimiter(() => performance.now(), isTeacher ? teacherLimits : learnerLimits);
    socket.on('message', (data, isBinary) => {
      const bytes = data as Buffer;
      // Stop reading from a client that exceeds its rate for a while. Its messages wait in its own buffers.
      const rest = limiter.take(bytes.length);
      if (rest > 0 && !socket.isPaused) {
        socket.pause();
        setTimeout(() => socket.resume(), rest).unref();
      }
      const message = isBinary ? undefined : parse(bytes.toString('utf8'));
      if (seat) {
        if (!hear(seat, message, isTeacher)) refusePeer(socket, 'protocol');
        return;
      }
      clearTimeout(late);
      seat = isTeacher ? joinTeacher(socket, message) : joinLearner(socket, message, address);
      if (seat) settle();
    });
    socket.on('close', () => {
      clearTimeout(late);
      settle();
      seat?.closed();
    });
    // Errors need no handling, because a close event follows each of them.
    socket.on('error', () => undefined);
  }

  return {
    onUpgrade: (request, socket, head) => {
      const url = requestUrl(request);
      const address = request.socket.remoteAddress ?? '';
      const isTeacher = url.searchParams.get('role') === 'teacher';
      const isFromSite = !isTeacher && sites.includes(request.headers.origin ?? '');
      const refusal =
        (isFromSite ? undefined : access.checkOrigin(request)) ?? (isTeacher ? access.checkToken(request) : undefined);
      if (refusal) refuse(socket, refusal);
      else if (isTeacher && !insecure && !isPrivate(request))
        refuse(socket, {
          status: 403,
          message: 'Over plain HTTP the teacher connects from the server’s machine only.\n',
        });
      else if (url.pathname !== '/class') refuse(socket, { status: 404, message: 'The class is at /class.\n' });
      else if (!isTeacher && isFull(address))
        refuse(socket, {
          status: 503,
          message: `At most ${maxConnections} connections, ${maxPendingPerAddress} from an address before joining.\n`,
        });
      else server.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, isTeacher, address));
    },
    close: () => {
      pings.stop();
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

/** Disconnects the client with the most unread bytes if all clients together leave too many unread. */
function limitUnread(clients: ReadonlySet<WebSocket>): void {
  let [total, slowest]: [number, WebSocket | undefined] = [0, undefined];
  for (const client of clients) {
    total += client.bufferedAmount;
    if (client.bufferedAmount > (slowest?.bufferedAmount ?? 0)) slowest = client;
  }
  if (total > mostUnreadOfAll) slowest?.terminate();
}

/**
 * Sends the client the reason for the rejection and closes the connection. This needs a completed handshake, because
 * browsers can't read why a handshake failed.
 */
function refusePeer(socket: WebSocket, reason: RefusalReason): void {
  const message: FromServer = { type: 'refused', reason };
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  socket.close(4003, reason);
}
