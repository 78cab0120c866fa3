/** Starts a relay in this process between an HTTP/2 server and clients. The sockets are in a temporary directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createSocketServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Relay } from '../relay.ts';

export const listening = (server: Server | Http2Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });

/** A larger limit than the default of 10 MB, above which Node.js ends a session that buffers data. */
const roomy = { maxSessionMemory: 1_000 };

/** Returns a gRPC message with its prefix. */
export function grpcFrame(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

export interface ServedRelay {
  readonly relay: Relay;
  readonly directory: string;
  readonly runtimePath: string;
  readonly listenPath: string;
  readonly controlPath: string;
  /** Opens a new connection of a client to the relay. */
  readonly client: (path?: string) => ClientHttp2Session;
  readonly close: () => Promise<void>;
}

/**
 * Starts the relay and the server behind it.
 * @param handle serves the streams that reach the runtime
 */
export async function serveRelay(
  handle: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  answerWithin: number,
): Promise<ServedRelay> {
  const directory = await mkdtemp(join(tmpdir(), 'relay-'));
  const runtimePath = join(directory, 'runtime.sock');
  const listenPath = join(directory, 'cri.sock');
  const controlPath = join(directory, 'control.sock');
  const runtime = createServer(roomy);
  const runtimeSockets = new Set<Socket>();
  runtime.on('connection', (socket: Socket) => runtimeSockets.add(socket));
  runtime.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    handle(stream, headers);
  });
  await listening(runtime, runtimePath);
  const relay = new Relay({ version: 'test', listen: listenPath, runtime: runtimePath, answerWithin });
  const front = createSocketServer({ allowHalfOpen: false }, (socket) => relay.acceptClient(socket));
  await listening(front, listenPath);
  const control = createSocketServer((socket) => relay.acceptDebugger(socket));
  await listening(control, controlPath);
  const sessions: ClientHttp2Session[] = [];
  return {
    relay,
    directory,
    runtimePath,
    listenPath,
    controlPath,
    client(path = listenPath) {
      const session = connect('http://localhost', { ...roomy, createConnection: () => openSocket(path) });
      session.on('error', () => undefined);
      sessions.push(session);
      return session;
    },
    async close() {
      for (const session of sessions) session.destroy();
      relay.close();
      for (const socket of runtimeSockets) socket.destroy();
      await Promise.all([front, control, runtime].map((server) => new Promise((done) => server.close(done))));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The result of one call as a client sees it. */
export interface CallResult {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders;
  /** HTTP/2 error code of the stream. */
  readonly code: number;
}

/**
 * Makes a call with the given pieces as the body and collects the response.
 * @param signal cancels the call, as a client does at its deadline
 */
export function callThrough(
  session: ClientHttp2Session,
  path: string,
  body: readonly Uint8Array[],
  metadata: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<CallResult> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...metadata,
    });
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (given) => {
      headers = given;
    });
    stream.on('trailers', (given) => {
      trailers = given;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => resolve({ headers, body: Buffer.concat(chunks), trailers, code: stream.rstCode ?? 0 }));
    signal?.addEventListener('abort', () => stream.close(8));
    for (const piece of body) stream.write(piece);
    stream.end();
  });
}
