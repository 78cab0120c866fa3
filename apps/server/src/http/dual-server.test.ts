import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerCertificate } from '../tls/certificates.ts';
import { type DualServer, startDualServer } from './dual-server.ts';

let server: DualServer;
beforeAll(async () => {
  server = await startDualServer({
    ...(await createServerCertificate('127.0.0.1')),
    host: '127.0.0.1',
    port: 0,
    times: { firstByte: 2000, headers: 2000, request: 4000, tlsHandshake: 2000, checked: 20 },
    onRequest: (request, response) => {
      request.resume().on('end', () => response.end('whole'));
      request.on('error', () => undefined);
    },
    onUpgrade: (_request, socket) => socket.destroy(),
  });
});
afterAll(() => server.close());

/** Sends one byte at a time until the server closes the connection. Returns the response. */
function drip(beginning: string | Uint8Array, next: string, tls = false): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const address = { host: '127.0.0.1', port: server.port };
    const socket = tls
      ? connectTls({ ...address, rejectUnauthorized: false })
      : connect({ ...address, allowHalfOpen: next !== '' });
    socket.write(beginning);
    const drops = setInterval(() => socket.write(next), 50);
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drops);
      resolve(answer.split('\r\n')[0] ?? '');
    });
  });
}

const post = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n';

it('closes the connection of every client that is too slow', async () => {
  const timeout = 'HTTP/1.1 408 Request Timeout';
  // If a client still sends when the server closes, the connection is reset, and the client can lose the response.
  const timeoutOrReset = expect.toBeOneOf([timeout, '']) as unknown;
  const answers = await Promise.all([
    drip('', ''),
    drip('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n', 'X-Drop: 1\r\n'),
    drip('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n', 'X-Drop: 1\r\n', true),
    drip('G', ''),
    drip(post, 'x'),
    drip(post, 'x', true),
    drip(Uint8Array.from([0x16, 3, 1]), ''),
    // After a response, the keep-alive timeout applies to an idle client, but the request timeout applies to a client
    // that has begun another request.
    drip('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\n', 'X-Drop: 1\r\n'),
  ]);
  expect(answers).toEqual([
    '',
    timeoutOrReset,
    timeoutOrReset,
    timeout,
    timeoutOrReset,
    timeoutOrReset,
    '',
    'HTTP/1.1 200 OK',
  ]);
});
