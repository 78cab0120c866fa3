/**
 * Serves an HTTP/1.1 connection with a simulated server. A simulated server gets requests as objects, so this module
 * parses and formats the bytes.
 */
import type { ForwardedConnection } from '@podscope/cri';
import type { Server } from '../network/pod-network.ts';

const maxHeadLength = 64 * 1024;
const encoder = new TextEncoder();
const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  404: 'Not Found',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Reads a request and writes the response. If the server doesn't speak HTTP, writes nothing. */
export async function serveConnection(server: Server, connection: ForwardedConnection): Promise<void> {
  const head = await readHead(connection.source);
  const [, path] = /^[A-Z]+ (\S+) HTTP\/1\.[01]$/.exec(head[0] ?? '') ?? [];
  if (path === undefined) return;
  const host = head.find((line) => /^host:/i.test(line))?.replace(/^host:\s*/i, '') ?? 'localhost';
  const response = await server({ path, host });
  if (!response) return;
  const body = encoder.encode(response.body);
  const lines = [
    `HTTP/1.1 ${response.status} ${reasons[response.status] ?? ''}`,
    'Content-Type: text/html',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  await connection.write(encoder.encode(`${lines.join('\r\n')}\r\n\r\n`));
  await connection.write(body);
}

async function readHead(source: AsyncIterable<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const data of source) {
    text += decoder.decode(data, { stream: true });
    const end = text.indexOf('\r\n\r\n');
    if (end >= 0) return text.slice(0, end).split('\r\n');
    if (text.length > maxHeadLength) return [];
  }
  return [];
}
