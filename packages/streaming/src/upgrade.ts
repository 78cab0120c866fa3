/** The HTTP part of a streaming request: which protocol is asked for, and the answer that begins or refuses it. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** A request that wants to leave HTTP, as Node's `upgrade` event hands it out. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client has sent after its request already. */
  readonly head: Buffer;
}

/** The header in which SPDY clients name the protocols they speak. */
export const protocolHeader = 'X-Stream-Protocol-Version';
const acceptedHeader = 'X-Accepted-Stream-Protocol-Versions';

/** A request that cannot be served, with the HTTP status that says so. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const listed = (value: string | string[] | undefined): string[] =>
  [value ?? []]
    .flat()
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter(Boolean);

const hasUpgrade = (request: IncomingMessage, protocol: string): boolean =>
  (request.headers.upgrade ?? '').toLowerCase() === protocol && (request.headers.connection ?? '').toLowerCase().includes('upgrade');

/** True when the client wants a WebSocket. */
export const isWebSocketRequest = (request: IncomingMessage): boolean => hasUpgrade(request, 'websocket');

/** Answers with an HTTP error and ends the connection. */
export function refuse({ socket }: Pick<UpgradeRequest, 'socket'>, error: UpgradeError): void {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(error.message), Connection: 'close', ...error.headers };
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${error.message}`);
}

/**
 * Begins SPDY/3.1 on the request's connection and answers the protocol that both speak.
 * Upstream: httpstream.Handshake and spdy.responseUpgrader (apimachinery, v1.36).
 * @throws UpgradeError 400 without the right headers, 403 when no protocol fits.
 */
export function acceptSpdy({ request, socket, head }: UpgradeRequest, supported: readonly string[]): string {
  if (!hasUpgrade(request, 'spdy/3.1')) {
    throw new UpgradeError(400, `unable to upgrade: missing upgrade headers in request: ${JSON.stringify(request.headers)}`);
  }
  const offered = listed(request.headers[protocolHeader.toLowerCase()]);
  if (offered.length === 0) throw new UpgradeError(400, `unable to upgrade: ${protocolHeader} is required`);
  const chosen = offered.find((each) => supported.includes(each));
  if (!chosen) {
    const text = `unable to upgrade: unable to negotiate protocol: client supports ${offered.join(', ')}, server accepts ${supported.join(', ')}`;
    throw new UpgradeError(403, text, { [acceptedHeader]: supported.join(', ') });
  }
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${protocolHeader}: ${chosen}\r\n\r\n`);
  if (head.length > 0) socket.unshift(head);
  return chosen;
}

const maxMessageBytes = 32 * 1024 * 1024;

/** A WebSocket and the protocol that was chosen for it; empty when the client named none. */
export interface AcceptedWebSocket {
  readonly socket: WebSocket;
  readonly protocol: string;
}

/**
 * Begins a WebSocket.
 * @param supported a client that names protocols must name one of these.
 * @throws UpgradeError 400 when no protocol fits, or the handshake is none.
 */
export function acceptWebSocket({ request, socket, head }: UpgradeRequest, supported: readonly string[]): Promise<AcceptedWebSocket> {
  const offered = listed(request.headers['sec-websocket-protocol']);
  const protocol = offered.find((each) => supported.includes(each)) ?? '';
  if (offered.length > 0 && !protocol) {
    throw new UpgradeError(400, `unable to upgrade: client supports ${offered.join(', ')}, server accepts ${supported.join(', ')}`);
  }
  // Chosen here, not by ws: Kubernetes' "SPDY/3.1+portforward.k8s.io" has a slash, which ws refuses as the RFC says.
  delete request.headers['sec-websocket-protocol'];
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: maxMessageBytes });
  if (protocol) server.once('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  return new Promise((resolve, reject) => {
    server.once('wsClientError', (error) => reject(new UpgradeError(400, `unable to upgrade: ${error.message}`)));
    server.handleUpgrade(request, socket, head, (opened) => {
      // A frame that is none may be there already, before anybody listens. Followed by close.
      opened.on('error', () => undefined);
      resolve({ socket: opened, protocol });
    });
  });
}
