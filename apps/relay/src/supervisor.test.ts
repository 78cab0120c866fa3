import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { type ClientHttp2Session, connect, createServer, type Http2Server } from 'node:http2';
import { createServer as createSocketServer, connect as openSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { protocolVersion } from '@podscope/relay-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayProgram, supervisorProgram } from './index.ts';
import { relayArguments } from './options.ts';
import { firstChild } from './testing/first-child.ts';
import { answerWithinTests } from './testing/relay-before.ts';
import { type CallResult, callThrough, grpcFrame, listening } from './testing/served-relay.ts';
import { TestDebugger } from './testing/test-debugger.ts';

const kills = process.env['PODSCOPE_TEST_LONG'] ? 50 : 5;
/** The limit of a test that starts a process for each kill, in milliseconds. */
const limit = 60_000 * (kills + 3);

let directory: string;
let runtime: Http2Server;
let child: ChildProcess | undefined;
const path = (name: string): string => join(directory, name);
const options = (): string[] =>
  relayArguments({
    listen: path('cri.sock'),
    runtime: path('runtime.sock'),
    control: path('control.sock'),
    version: 'test',
    answerWithin: answerWithinTests,
  });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'supervisor-'));
  runtime = createServer();
  runtime.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => stream.write(chunk));
    stream.on('end', () => stream.end());
  });
  await listening(runtime, path('runtime.sock'));
  await chmod(path('runtime.sock'), 0o660);
});

afterEach(async () => {
  if (child && child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  child = undefined;
  runtime.close();
  await rm(directory, { recursive: true, force: true });
});

const client = (): ClientHttp2Session => {
  const session = connect('http://localhost', { createConnection: () => openSocket(path('cri.sock')) });
  session.on('error', () => undefined);
  return session;
};

const message = grpcFrame(Buffer.from('x'));
const version = '/runtime.v1.RuntimeService/Version';

/** Returns how a call ended: with its whole response, or with an error, that is without a status. */
function outcomeOf({ body, trailers }: CallResult): 'response' | 'error' | 'malformed' {
  if (trailers['grpc-status'] === undefined) return 'error';
  return trailers['grpc-status'] === '0' && body.equals(message) ? 'response' : 'malformed';
}
const call = async (session: ClientHttp2Session): Promise<boolean> =>
  outcomeOf(await callThrough(session, version, [message])) === 'response';

const start = async (): Promise<void> => {
  child = fork(fileURLToPath(supervisorProgram), options(), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  await once(child, 'message');
};

describe('supervisor', () => {
  it("gives its sockets the mode of the runtime's and removes them at the end", async () => {
    await start();
    const session = client();
    expect(await call(session)).toBe(true);
    for (const name of ['cri.sock', 'control.sock']) expect((await stat(path(name))).mode & 0o777).toBe(0o660);
    session.destroy();
    child?.kill('SIGTERM');
    await once(child as ChildProcess, 'exit');
    await expect(stat(path('cri.sock'))).rejects.toThrow('ENOENT');
    await expect(stat(path('control.sock'))).rejects.toThrow('ENOENT');
  });

  it("gives its sockets the owner and the group of the runtime's", { meta: { needs: ['root'] } }, async () => {
    await chown(path('runtime.sock'), 1, 2);
    await start();
    // The relay creates the control socket before it answers a call.
    const session = client();
    expect(await call(session)).toBe(true);
    session.destroy();
    for (const name of ['cri.sock', 'control.sock']) expect(await stat(path(name))).toMatchObject({ uid: 1, gid: 2 });
  });

  it(`serves the next connection each time the relay is killed, ${kills} times under calls`, {
    meta: { needs: ['linux'] },
    timeout: limit,
  }, async () => {
    await start();
    const inFlightPerKill = 20;
    const ended: string[] = [];
    for (let count = 0; count < kills; count += 1) {
      const session = client();
      // The call before the kill succeeds. From the second round on, it is also the call after a kill.
      expect(await call(session)).toBe(true);
      // `once` of node:events would reject when the killed relay resets the connection.
      const closed = new Promise((resolve) => session.once('close', resolve));
      const inFlight = Array.from({ length: inFlightPerKill }, () => callThrough(session, version, [message]));
      process.kill(await firstChild(child?.pid), 'SIGKILL');
      await closed;
      for (const result of inFlight) ended.push(outcomeOf(await result));
    }
    // Each call in flight ended with its whole response or with an error.
    expect(ended.filter((outcome) => outcome === 'response' || outcome === 'error')).toHaveLength(
      kills * inFlightPerKill,
    );
    expect(ended).not.toContain('malformed');
    const session = client();
    expect(await call(session)).toBe(true);
    session.destroy();
  });

  it(`passes all calls while the debugger connects, holds and vanishes, ${kills} times`, {
    timeout: limit,
  }, async () => {
    await start();
    const session = client();
    expect(await call(session)).toBe(true);
    for (let count = 0; count < kills; count += 1) {
      const debug = await TestDebugger.connected(path('control.sock'), ['CreateContainer']);
      debug.onMessage = ({ type, ...rest }) => {
        if (type === 'question' && 'call' in rest)
          debug.send({ type: 'answer', call: rest.call, answer: { kind: 'hold' } });
      };
      const held = callThrough(session, '/runtime.v1.RuntimeService/CreateContainer', [message]);
      await debug.next(({ type }) => type === 'held');
      expect(await call(session)).toBe(true);
      debug.close();
      expect((await held).trailers['grpc-status']).toBe('0');
    }
    session.destroy();
  });

  it('tells a second debugger that another one is connected', async () => {
    await start();
    expect(await call(client())).toBe(true);
    const debug = await TestDebugger.connected(path('control.sock'));
    const second = new TestDebugger(path('control.sock'));
    expect(await second.next(() => true)).toMatchObject({ type: 'hello', hasDebugger: true });
    second.send({ type: 'hello', protocol: protocolVersion, version: 'test' });
    await second.next(({ type }) => type === 'busy');
    second.close();
    debug.close();
  });
});

describe('relay process', () => {
  it('serves the socket that systemd passes', async () => {
    const server = createSocketServer();
    // Closing a server removes the path at which its socket was created, so move the socket to another path first.
    await listening(server, path('created.sock'));
    await rename(path('created.sock'), path('cri.sock'));
    const {
      _handle: { fd },
    } = server as unknown as { readonly _handle: { readonly fd: number } };
    // LISTEN_PID must be the relay's pid. `exec` keeps the pid, so the shell can set it.
    const program = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@"';
    child = spawn('sh', ['-c', program, process.execPath, fileURLToPath(relayProgram), ...options()], {
      stdio: ['ignore', 'ignore', 'inherit', fd],
    });
    await expect
      .poll(
        () =>
          stat(path('control.sock')).then(
            () => true,
            () => false,
          ),
        { timeout: 120_000 },
      )
      .toBe(true);
    // Stop accepting connections in this process, which also has the socket open.
    await new Promise((resolve) => {
      const { _handle: handle } = server as unknown as {
        readonly _handle: { readonly close: (done: (value?: unknown) => void) => void };
      };
      handle.close(resolve);
    });
    const session = client();
    expect(await call(session)).toBe(true);
    session.destroy();
  });
});
