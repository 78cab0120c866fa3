/** Forwards the requests that Podscope makes to a Docker Engine, and rejects all other requests. */
import { chmod, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { isRequiredCall } from '@podscope/dockershim';

export interface DockerProxyOptions {
  /** Path of the socket to listen on. */
  readonly listen: string;
  /** Path of the engine's socket. */
  readonly engine: string;
  /** Called for each rejected request. */
  readonly onReject: (call: string) => void;
}

/**
 * Maximum size of the body of a request that upgrades the connection, in bytes. The body contains only the start
 * options of an exec.
 */
const maxBody = 64 * 1024;

/** Returns the path of a request without its query, or undefined if it isn't valid. */
function pathOf({ url = '' }: IncomingMessage): string | undefined {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the error message for a request that the proxy rejects; undefined for an accepted request. */
function rejection(incoming: IncomingMessage): string | undefined {
  const path = pathOf(incoming);
  return path !== undefined && isRequiredCall(incoming.method, path)
    ? undefined
    : `${incoming.method} ${path ?? 'with an invalid path'} is not a call of Podscope`;
}

const errorBody = (message: string): string => JSON.stringify({ message: `podscope docker-proxy: ${message}` });

/** Formats the head of a response for a raw connection. */
const headOf = ({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string =>
  [
    `HTTP/1.1 ${statusCode} ${statusMessage}`,
    ...Array.from({ length: rawHeaders.length / 2 }, (_, at) => `${rawHeaders[2 * at]}: ${rawHeaders[2 * at + 1]}`),
    '\r\n',
  ].join('\r\n');

/** Sends an error on a raw connection and closes it. */
const endWith = (socket: Duplex, status: string, message: string): void => {
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
};

/**
 * Reads the body of a request that upgrades the connection.
 * @returns undefined if the body is too long or incomplete
 */
async function readBody(headers: IncomingHttpHeaders, head: Buffer, socket: Duplex): Promise<Buffer | undefined> {
  const length = Number(headers['content-length'] ?? 0);
  if (!(length <= maxBody) || headers['transfer-encoding'] !== undefined) return undefined;
  let body = head;
  while (body.length < length) {
    const chunk = await new Promise<Buffer | undefined>((resolve) => {
      socket.once('data', resolve);
      socket.once('close', () => resolve(undefined));
    });
    if (chunk === undefined) return undefined;
    body = Buffer.concat([body, chunk]);
  }
  socket.pause();
  if (body.length > length) socket.unshift(body.subarray(length));
  return body.subarray(0, length);
}

/**
 * Starts the proxy.
 * @throws Error if the socket can't be created
 */
export async function startDockerProxy({ listen, engine, onReject }: DockerProxyOptions): Promise<Server> {
  const outgoing = ({ method, url, headers }: IncomingMessage): RequestOptions => ({
    socketPath: engine,
    method,
    path: url,
    headers,
    // Use a separate connection for each request, because each response may be a stream.
    agent: false,
  });
  const server = createServer((incoming, response) => {
    const rejected = rejection(incoming);
    if (rejected !== undefined) {
      onReject(rejected);
      response.writeHead(403, { 'Content-Type': 'application/json' }).end(errorBody(rejected));
      return;
    }
    const forwarded = request(outgoing(incoming), (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    forwarded.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'Content-Type': 'application/json' }).end(errorBody(error.message));
    });
    response.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  // Requests for attach and exec upgrade the connection.
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const upgrade = async (): Promise<void> => {
      const rejected = rejection(incoming);
      if (rejected !== undefined) {
        onReject(rejected);
        endWith(socket, '403 Forbidden', rejected);
        return;
      }
      const body = await readBody(incoming.headers, head, socket);
      if (body === undefined) {
        endWith(socket, '400 Bad Request', 'the body is too long or not complete');
        return;
      }
      const forwarded = request(outgoing(incoming));
      forwarded.on('upgrade', (answer, engineSocket, first) => {
        engineSocket.on('error', () => socket.destroy());
        socket.on('close', () => engineSocket.destroy());
        socket.write(headOf(answer));
        if (first.length > 0) socket.write(first);
        engineSocket.pipe(socket);
        socket.pipe(engineSocket);
      });
      // If the engine responds with an error, forward the response and close the connection.
      forwarded.on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const content = Buffer.concat(chunks);
          socket.write(
            `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nContent-Type: ` +
              `${answer.headers['content-type'] ?? 'application/json'}\r\nContent-Length: ${content.length}\r\n` +
              'Connection: close\r\n\r\n',
          );
          socket.end(content);
        });
      });
      forwarded.on('error', (error) => endWith(socket, '502 Bad Gateway', error.message));
      forwarded.end(body);
    };
    void upgrade();
  });
  await rm(listen, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen, resolve);
  });
  await chmod(listen, 0o660);
  return server;
}
