/** Tests the proxy. The engine behind it returns each request that it receives. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDockerProxy } from './proxy.ts';

let directory: string;
let socketPath: string;
const servers: Server[] = [];
const seen: string[] = [];
const rejected: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-proxy-'));
  const engine = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    void text(incoming).then((body) => response.writeHead(201, { 'X-Engine': 'yes' }).end(body));
  });
  engine.on('upgrade', (incoming, socket, head) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    if (incoming.url?.includes('missing')) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}');
      return;
    }
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    socket.write(head);
    socket.pipe(socket);
  });
  servers.push(engine.listen(join(directory, 'engine.sock')));
  await once(engine, 'listening');
  socketPath = join(directory, 'proxy.sock');
  servers.push(
    await startDockerProxy({
      listen: socketPath,
      engine: join(directory, 'engine.sock'),
      onReject: (call) => rejected.push(call),
    }),
  );
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(directory, { recursive: true, force: true });
});

async function call(method: string, path: string, body = ''): Promise<{ status?: number | undefined; body: string }> {
  const sent = request({ socketPath, method, path }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

it('forwards a call of Podscope with its query and body', async () => {
  expect(await call('POST', '/v1.41/containers/create?name=web', '{"Image":"web"}')).toEqual({
    status: 201,
    body: '{"Image":"web"}',
  });
  expect(seen.at(-1)).toBe('POST /v1.41/containers/create?name=web');
});

it.each([
  ['POST', '/v1.41/build'],
  ['GET', '/v1.41/images/%2e%2e/secrets/json'],
  ['GET', '/v1.41/containers/%zz/json'],
])('rejects %s %s, which never reaches the engine', async (method, path) => {
  const before = seen.length;
  const { status, body } = await call(method, path);
  expect(status).toBe(403);
  expect(JSON.parse(body)).toEqual({ message: expect.stringContaining('is not a call of Podscope') as unknown });
  expect(seen).toHaveLength(before);
  expect(rejected.at(-1)).toContain(method);
});

/**
 * Sends text over a connection. Returns everything that is received until the connection closes or `isEnough` returns
 * true.
 */
async function converse(head: string, more: string, isEnough: (answer: string) => boolean): Promise<string> {
  const socket = connect(socketPath);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk;
    if (answer.includes('101 UPGRADED') && more !== '' && !answer.includes(more)) socket.write(more);
    if (isEnough(answer)) socket.destroy();
  });
  socket.write(head);
  await once(socket, 'close');
  return answer;
}

it('joins the two connections of an attach', async () => {
  const head =
    'POST /v1.41/containers/web/attach?stream=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n';
  const answer = await converse(`${head}Content-Length: 0\r\n\r\n`, 'to the process', (all) => all.includes('process'));
  expect(answer).toMatch(/^HTTP\/1\.1 101 UPGRADED\r\n[^]*to the process$/);
});

it('closes the connection after a refused upgrade, so that no other request can follow on it', async () => {
  const before = seen.length;
  const head = 'POST /v1.41/exec/missing/start HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n';
  const smuggled = 'POST /v1.41/build HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
  const answer = await converse(`${head}Content-Length: 2\r\n\r\n{}${smuggled}`, '', () => false);
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  expect(seen.slice(before)).toEqual(['POST /v1.41/exec/missing/start']);
});

it('rejects an upgrade that is not a call of Podscope', async () => {
  const head = 'POST /v1.41/session HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
  expect(await converse(head, '', () => false)).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[^]*is not a call of Podscope/);
});
