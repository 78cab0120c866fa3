/** Tests streams of simulated pods over WebSocket, and the responses to invalid requests. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
const pods = '/api/v1/namespaces/default/pods';

const container = (name: string) => ({
  name,
  image: 'busybox:1.36',
  command: ['sh', '-c', 'echo started; sleep 3600'],
});
const create = (name: string, ...containers: object[]) =>
  server.request('POST', pods, { body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } } });
const phase = async (name: string): Promise<string | undefined> =>
  ((await server.request('GET', `${pods}/${name}`)).json as { status?: { phase?: string } }).status?.phase;

beforeAll(async () => {
  server = await startTestServer();
  await create('one', container('app'));
  await create('two', container('first'), container('second'));
  await create('absent', { ...container('app'), image: 'registry.example/nobody/has:this' });
  await vi.waitUntil(async () => (await phase('one')) === 'Running' && (await phase('two')) === 'Running', {
    timeout: 120_000,
    interval: 20,
  });
});
afterAll(() => server.dispose());

const channelNames = ['stdin', 'stdout', 'stderr', 'error'];

/** Resolves with the output of each channel when the server closes the connection. */
function exec(path: string): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, 'v5.channel.k8s.io', {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    const received: Record<string, string> = {};
    socket.on('message', (data: Buffer) => {
      const name = channelNames[data[0] ?? -1] ?? 'other';
      received[name] = (received[name] ?? '') + data.subarray(1).toString('utf8');
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

/** Resolves with the response to a rejected upgrade. */
function refused(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const spdy = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v4.channel.k8s.io' };
    const sent = request({
      host: '127.0.0.1',
      port: server.port,
      path,
      method: 'POST',
      headers: { ...spdy, Authorization: `Bearer ${server.token}`, ...headers },
    });
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('upgrade', () => reject(new Error('the upgrade was accepted')));
    sent.on('error', reject);
    sent.end();
  });
}

describe('exec', () => {
  it('runs a command in the only container', async () => {
    const received = await exec(`${pods}/one/exec?command=echo&command=hello&stdout=true&stderr=true`);
    expect(received.stdout).toBe('hello\n');
    expect(JSON.parse(received.error ?? '')).toMatchObject({ status: 'Success' });
  });

  it('returns the exit code', async () => {
    const received = await exec(`${pods}/two/exec?container=second&command=sh&command=-c&command=exit%203&stdout=1`);
    expect(JSON.parse(received.error ?? '')).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  it('is recorded in the event log', async () => {
    await exec(`${pods}/one/exec?command=true&stdout=1`);
    expect(server.nodeHost.log.after(0).filter(({ type }) => type === 'command')).toContainEqual(
      expect.objectContaining({
        command: 'exec',
        arguments: { namespace: 'default', name: 'one', container: 'app', command: ['true'], tty: false },
      }),
    );
  });
});

describe('a stream', () => {
  it.each([
    ['an unknown pod', 'nobody/exec?command=id&stdout=1', 404, 'pods \\"nobody\\" not found'],
    ['an unknown container', 'one/exec?container=x&command=id&stdout=1', 400, 'container x is not valid for pod one'],
    [
      'no container of several',
      'two/exec?command=id&stdout=1',
      400,
      'a container name must be specified for pod two, choose one of: [first second]',
    ],
    ['no command', 'one/exec?stdout=1', 400, 'you must specify at least one command for the container'],
    ['no streams', 'one/exec?command=id', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['a container that does not run', 'absent/exec?command=id&stdout=1', 500, 'container not found ("app")'],
    [
      'a port that is none',
      'one/portforward?ports=99999',
      400,
      'ports: Invalid value: 99999: must be between 1 and 65535, inclusive',
    ],
  ])('is rejected for %s', async (_name, path, status, text) => {
    expect(await refused(`${pods}/${path}`)).toEqual({ status, text: expect.stringContaining(text) as string });
  });

  it.each([
    ['no token', { Authorization: '' }, 401],
    ['a cross-site page', { Origin: 'http://evil.example' }, 403],
    ['a name that is not the server’s', { Host: 'evil.example' }, 421],
  ])('is rejected for a client with %s', async (_name, headers, status) => {
    expect((await refused(`${pods}/one/exec?command=id&stdout=1`, headers)).status).toBe(status);
  });

  it('requires an upgrade', async () => {
    expect(await server.request('POST', `${pods}/one/exec?command=id&stdout=1`)).toMatchObject({
      status: 400,
      json: { message: 'Upgrade request required' },
    });
  });
});
