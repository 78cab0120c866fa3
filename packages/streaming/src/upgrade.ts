/** Negotiates the protocol of a streaming request and accepts or rejects the upgrade. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** A request that Node.js' HTTP server reports with the event `upgrade`. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes that the client has sent after its request. */
  readonly head: Buffer;
}

/** The header with the protocols of SPDY clients. */
export const protocolHeader = 'X-Stream-Protocol-Version';
const acceptedHeader = 'X-Accepted-Stream-Protocol-Versions';

/** Thrown for a request that can't be served, with its HTTP status. */
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
  (request.headers.upgrade ?? '').toLowerCase() === protocol &&
  (request.headers.connection ?? '').toLowerCase().includes('upgrade');

/** Returns true for a WebSocket request. */
export const isWebSocketRequest = (request: IncomingMessage): boolean => hasUpgrade(request, 'websocket');

/** Sends an HTTP error and closes the connection. */
export function refuse({ socket }: Pick<UpgradeRequest, 'socket'>, error: UpgradeError): void {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(error.message),
    Connection: 'close',
    ...error.headers,
  };
  const lines = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${error.message}`);
}

/**
 * Accepts SPDY/3.1 and returns the common protocol.
 * Upstream: httpstream.Handshake and spdy.responseUpgrader (apimachinery, v1.36).
 * @throws UpgradeError 400 without the required headers, 403 without a common protocol
 */
export function acceptSpdy({ request, socket, head }: UpgradeRequest, supported: readonly string[]): string {
  if (!hasUpgrade(request, 'spdy/3.1')) {
    throw new UpgradeError(
      400,
      `unable to upgrade: missing upgrade headers in request: ${JSON.stringify(request.headers)}`,
    );
  }
  const offered = listed(request.headers[protocolHeader.toLowerCase()]);
  if (offered.length === 0) throw new UpgradeError(400, `unable to upgrade: ${protocolHeader} is required`);
  const chosen = offered.find((each) => supported.includes(each));
  if (!chosen) {
    const text =
      `unable to upgrade: unable to negotiate protocol: client supports ${offered.join(', ')}, server accepts ` +
      supported.join(', ');
    throw new UpgradeError(403, text, { [acceptedHeader]: supported.join(', ') });
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${protocolHeader}: ` +
      `${chosen}\r\n\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  return chosen;
}

const maxMessageBytes = 32 * 1024 * 1024;

/** A WebSocket with the chosen protocol. The protocol is empty if the client named none. */
export interface AcceptedWebSocket {
  readonly socket: WebSocket;
  readonly protocol: string;
}

/**
 * Accepts a WebSocket.
 * @param supported the protocols that this server accepts; a client that names protocols must name one of these
 * @throws UpgradeError 400 without a common protocol or for an invalid handshake
 */
export function acceptWebSocket(
  { request, socket, head }: UpgradeRequest,
  supported: readonly string[],
): Promise<AcceptedWebSocket> {
  const offered = listed(request.headers['sec-websocket-protocol']);
  const protocol = offered.find((each) => supported.includes(each)) ?? '';
  if (offered.length > 0 && !protocol) {
    throw new UpgradeError(
      400,
      `unable to upgrade: client supports ${offered.join(', ')}, server accepts ${supported.join(', ')}`,
    );
  }
  // The protocol is chosen here because ws rejects Kubernetes' "SPDY/3.1+portforward.k8s.io", whose slash the RFC
  // forbids.
  delete request.headers['sec-websocket-protocol'];
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: maxMessageBytes });
  if (protocol) server.once('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  return new Promise((resolve, reject) => {
    server.once('wsClientError', (error) => reject(new UpgradeError(400, `unable to upgrade: ${error.message}`)));
    server.handleUpgrade(request, socket, head, (opened) => {
      // An invalid frame may arrive before any listener exists; it is followed by close.
      opened.on('error', () => undefined);
      resolve({ socket: opened, protocol });
    });
  });
}
