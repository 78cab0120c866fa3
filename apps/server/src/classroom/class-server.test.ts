/** Tests the class server over the network: which clients it accepts, and that it serves nothing but the class. */
import { once } from 'node:events';
import { request } from 'node:http';
import { classProtocol } from '@podscope/classroom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { parseCommandLine } from '../cli/options.ts';
import { createLogger } from '../log.ts';
import { startTestServer } from '../testing/test-server.ts';
import { type ClassServer, type ClassServerOptions, startClassServer } from './class-server.ts';
import { joinLinks } from './join-code.ts';

const token = 'teacher-token-of-the-test';
const site = 'https://school.example/podscope/';
const options: ClassServerOptions = {
  host: '127.0.0.1',
  port: 0,
  token,
  certificate: undefined,
  insecure: false,
  site,
  pageDirectory: undefined,
  logger: createLogger('silent'),
};
let server: ClassServer;
beforeAll(async () => {
  server = await startClassServer(options);
});
afterAll(() => server.close());

const status = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

/** Opens a connection and returns the first message after a hello, or the status of the refused handshake. */
async function first(
  hello: object,
  path = '/class',
  headers: Record<string, string> = {},
  port = server.port,
): Promise<unknown> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const refused = once(socket, 'unexpected-response').then(
    ([, response]) => (response as { statusCode: number }).statusCode,
  );
  const open = once(socket, 'open').then(async () => {
    socket.send(JSON.stringify(hello));
    const [data] = (await once(socket, 'message')) as [Buffer];
    return JSON.parse(data.toString('utf8')) as unknown;
  });
  open.catch(() => undefined);
  refused.catch(() => undefined);
  const answer = await Promise.race([refused, open]);
  socket.terminate();
  return answer;
}

const learner = (code: string): object => ({ type: 'hello', role: 'learner', protocol: classProtocol, code });
const teacher = { type: 'hello', role: 'teacher', protocol: classProtocol, client: 'test' };
const cookie = (): Record<string, string> => ({ Cookie: `podscope-${server.port}=${token}` });

describe('the class server', () => {
  it.each(['/api/v1/pods', '/debug/v1/state', '/runs', '/pods', '/metrics', '/../package.json', '/classroom'])(
    'has no route %s',
    async (path) => {
      expect(await status(path)).toBe(404);
    },
  );

  it('accepts a learner only with the code', async () => {
    expect(await first(learner('WRONG2'))).toEqual({ type: 'refused', reason: 'code' });
    expect(await first(learner(server.joinInfo.code))).toMatchObject({ type: 'welcome', you: {} });
  });

  it('accepts a teacher only with the token', async () => {
    expect(await first(teacher, '/class?role=teacher')).toBe(401);
    expect(await first(teacher, '/class?role=teacher', cookie())).toMatchObject({ type: 'welcome', joinInfo: {} });
  });

  it('asks for the code at the bare address', async () => {
    expect(await status('/')).toBe(302);
  });

  it('limits connections of an address before they join only, and always admits the teacher', async () => {
    const own = await startClassServer({ ...options, token });
    const sockets: WebSocket[] = [];
    const open = async (): Promise<WebSocket> => {
      const socket = new WebSocket(`ws://127.0.0.1:${own.port}/class`);
      sockets.push(socket);
      await once(socket, 'open');
      return socket;
    };
    const join = async (socket: WebSocket): Promise<unknown> => {
      socket.send(JSON.stringify(learner(own.joinInfo.code)));
      return once(socket, 'message');
    };
    try {
      for (let index = 0; index < 60; index++) await join(await open());
      const silent = await Promise.all(Array.from({ length: 50 }, open));
      expect(await first(learner(own.joinInfo.code), '/class', {}, own.port)).toBe(503);
      const asTeacher = { Cookie: `podscope-${own.port}=${token}` };
      expect(await first(teacher, '/class?role=teacher', asTeacher, own.port)).toMatchObject({ type: 'welcome' });
      for (const socket of silent) await join(socket);
      expect(await first(learner(own.joinInfo.code), '/class', {}, own.port)).toMatchObject({ type: 'welcome' });
    } finally {
      for (const socket of sockets) socket.terminate();
      await own.close();
    }
  });

  it('lets a learner who joined back in after ten wrong codes from the same address', async () => {
    const own = await startClassServer({ ...options, token });
    try {
      const hello = learner(own.joinInfo.code);
      const { you } = (await first(hello, '/class', {}, own.port)) as { readonly you: object };
      for (let index = 0; index < 10; index++) await first(learner('WRONG2'), '/class', {}, own.port);
      expect(await first(hello, '/class', {}, own.port)).toEqual({ type: 'refused', reason: 'tooMany' });
      expect(await first({ ...hello, resume: you }, '/class', {}, own.port)).toMatchObject({ type: 'welcome', you });
    } finally {
      await own.close();
    }
  });

  it("ignores a teacher's message from a learner", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/class`);
    await once(socket, 'open');
    socket.send(JSON.stringify(learner(server.joinInfo.code)));
    socket.send(JSON.stringify({ type: 'message', n: 1, body: { type: 'end' } }));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(4003);
    expect(server.classroom.state.endedAt).toBeUndefined();
  });

  it('accepts learners of the static site, but no teacher and no other site', async () => {
    const origin = { Origin: new URL(site).origin };
    expect(await first(learner(server.joinInfo.code), '/class', origin)).toMatchObject({ type: 'welcome' });
    expect(await first(teacher, '/class?role=teacher', { ...origin, ...cookie() })).toBe(403);
    expect(await first(learner(server.joinInfo.code), '/class', { Origin: 'https://other.example' })).toBe(403);
  });

  it('closes a connection that sends too large a message', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/class`);
    await once(socket, 'open');
    socket.send('x'.repeat(3 * 1024 * 1024));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1009);
  });
});

describe('POST /classroom of a node’s server', () => {
  it('starts one class, on another port, and returns it again', async () => {
    const node = await startTestServer();
    try {
      const first = (await node.request('POST', '/classroom')).json as { url: string };
      expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?teach&token=/);
      expect(new URL(first.url).port).not.toBe(String(node.port));
      expect((await node.request('POST', '/classroom')).json).toEqual(first);
      expect((await node.request('POST', '/classroom', { headers: { Authorization: '' } })).status).toBe(401);
    } finally {
      await node.dispose();
    }
  });

  it('is refused by a read-only server', async () => {
    const node = await startTestServer(['--read-only']);
    try {
      expect((await node.request('POST', '/classroom')).status).toBe(403);
    } finally {
      await node.dispose();
    }
  });
});

describe('joinLinks', () => {
  const options = { host: '192.0.2.7', port: 4400, isSecure: false, names: [], site: undefined };

  it('contains the address and the code', () => {
    expect(joinLinks('ABC234', options)).toEqual(['http://192.0.2.7:4400/?class=ABC234']);
  });

  it('uses the names of the certificate, and the site first', () => {
    const links = joinLinks('ABC234', { ...options, isSecure: true, names: ['class.school.example'], site });
    expect(links).toEqual([
      'https://school.example/podscope/?class=ABC234&server=https%3A%2F%2Fclass.school.example%3A4400',
      'https://class.school.example:4400/?class=ABC234',
    ]);
  });
});

describe('--class', () => {
  const parse = (...args: string[]): unknown => parseCommandLine(['--class', ...args]);

  it('listens on all addresses, without a token of its own or a certificate', () => {
    expect(parse()).toMatchObject({ options: { isClass: true, host: '0.0.0.0' } });
    expect(parse('--host', '127.0.0.1')).toMatchObject({ options: { host: '127.0.0.1' } });
  });

  it('rejects an HTTPS site without a certificate, and a short token', () => {
    expect(() => parse('--class-site', site)).toThrow('--class-site');
    expect(() => parse('--token', 'short-token')).toThrow('--token');
  });
});
