/** Opens a streaming URL over SPDY/3.1. Upstream: client-go transport/spdy (v1.36). */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { CriError } from '@podscope/cri';
import { SpdyConnection } from '../spdy/connection.ts';
import { protocolHeader } from '../upgrade.ts';

const maxErrorBytes = 64 * 1024;

async function errorOf(url: string, response: IncomingMessage): Promise<CriError> {
  let text = '';
  for await (const chunk of response) if (text.length < maxErrorBytes) text += String(chunk);
  return new CriError(
    response.statusCode === 404 ? 'NotFound' : 'Unavailable',
    `streaming URL ${url} answered ${response.statusCode ?? 0}: ${text.trim()}`,
  );
}

/**
 * Connects with `protocols`, the preferred one first; returns the connection and the chosen protocol. A URL without a
 * scheme, which some runtimes return, is treated as http.
 * @throws CriError if the URL can't be opened
 */
export function connectSpdy(
  url: string,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<{ connection: SpdyConnection; protocol: string }> {
  const absolute = url.startsWith('//') ? `http:${url}` : url;
  const send = absolute.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', [protocolHeader]: [...protocols] };
    const request = send(absolute, { method: 'POST', headers, signal });
    request.once('error', (cause) =>
      reject(new CriError('Unavailable', `cannot open streaming URL ${url}: ${cause.message}`, { cause })),
    );
    request.once('response', (response) => void errorOf(url, response).then(reject, reject));
    request.once('upgrade', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      const chosen = response.headers[protocolHeader.toLowerCase()];
      const connection = new SpdyConnection(socket, 'client');
      resolve({ connection, protocol: typeof chosen === 'string' ? chosen : (protocols.at(-1) ?? '') });
    });
    request.end();
  });
}
