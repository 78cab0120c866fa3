import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtocolClient } from '@podscope/debugger/testing';
import type { Command, DebugState } from '@podscope/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
    },
  });

const servers: TestServer[] = [];
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-faults-'));
});
afterEach(async () => {
  // Stop all servers before a directory is removed, because several servers may use the same directory one after the
  // other.
  const started = servers.splice(0);
  for (const server of started) await server.stop();
  for (const server of started) await server.dispose();
  await rm(directory, { recursive: true, force: true });
});

async function start(...args: readonly string[]): Promise<TestServer> {
  const server = await startTestServer(args);
  servers.push(server);
  return server;
}

const post = (server: TestServer, body: Command): ReturnType<TestServer['request']> =>
  server.request('POST', '/debug/v1/commands', { body });

const stateOf = async (server: TestServer): Promise<DebugState> =>
  (await server.request('GET', '/debug/v1/state')).json as DebugState;

const untilStopped = (server: TestServer): Promise<DebugState['stopped'][number]> =>
  vi.waitFor(
    async () => {
      const [stopped] = (await stateOf(server)).stopped;
      if (!stopped) throw new Error('nothing is stopped');
      return stopped;
    },
    { timeout: 120_000 },
  );

describe('/debug/v1', () => {
  it('stops at a breakpoint, evaluates an expression and continues', async () => {
    const server = await start();
    const set = await post(server, { command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer' }] });
    expect(set).toMatchObject({ status: 200, json: { breakpoints: [{ id: 1, verified: true }] } });
    expect((await post(server, { command: 'apply', manifest: pod('web') })).status).toBe(200);
    const { thread } = await untilStopped(server);
    expect(await post(server, { command: 'evaluate', thread, expression: 'container' })).toMatchObject({
      status: 200,
      json: { value: '"app"' },
    });
    expect(await post(server, { command: 'continue', thread })).toMatchObject({
      status: 200,
      json: { threads: [thread] },
    });
    expect(await post(server, { command: 'continue', thread })).toMatchObject({
      status: 409,
      json: { reason: 'NotStopped' },
    });
  });

  it('lists points with their lines', async () => {
    const server = await start();
    const { json } = await server.request('GET', '/debug/v1/points');
    expect(json).toMatchObject({
      points: expect.arrayContaining([
        expect.objectContaining({
          id: 'syncPod.createPodSandbox',
          step: 4,
          source: { path: 'packages/kuberuntime/src/sync/steps.ts', line: expect.any(Number) },
        }),
      ]),
    });
  });

  it('counts a script as a client until it detaches', async () => {
    const server = await start();
    expect((await stateOf(server)).attached).toBe(false);
    await post(server, { command: 'setBreakpoints', breakpoints: [{ point: 'syncPod.createPodSandbox' }] });
    expect((await stateOf(server)).attached).toBe(true);
    await post(server, { command: 'apply', manifest: pod('web') });
    await untilStopped(server);
    await post(server, { command: 'detach' });
    await vi.waitFor(async () => expect(await stateOf(server)).toMatchObject({ attached: false, stopped: [] }), {
      timeout: 120_000,
    });
  });

  it('steps back over HTTP as over the stream, in the current run and in a saved one', async () => {
    const first = await start();
    await post(first, {
      command: 'setBreakpoints',
      breakpoints: [{ point: 'cri.StartContainer', when: 'after', condition: 'outcome == "ok"' }],
    });
    await post(first, { command: 'apply', manifest: pod('web') });
    const { thread } = await untilStopped(first);
    const back = await post(first, { command: 'stepBack', thread, granularity: 'into' });
    expect(back).toMatchObject({
      status: 200,
      json: { phase: 'after', point: 'docker.InspectContainer', thread, pod: { name: 'web' } },
    });
    await post(first, { command: 'continue', thread });
    const { run } = first.nodeHost.nodeInfo();
    await first.stop();

    const second = await start('--state-dir', first.stateDir);
    const hit = await post(second, { command: 'reverseContinue', run, thread });
    expect(hit).toMatchObject({
      status: 200,
      json: { run, hit: true, phase: 'after', point: 'cri.StartContainer', breakpoints: [1], outcome: 'ok' },
    });
    const { seq } = hit.json as { seq: number };
    const overStream = new ProtocolClient((text) => socket.send(text));
    const socket = new WebSocket(`ws://127.0.0.1:${second.port}/stream`, {
      headers: { Authorization: `Bearer ${second.token}` },
    });
    socket.on('message', (data: Buffer) => overStream.receive(data.toString('utf8')));
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    overStream.hello();
    expect(await overStream.request({ command: 'reverseContinue', run, thread })).toEqual(hit.json);
    const out: Command = { command: 'stepBack', run, thread, at: seq, granularity: 'out' };
    expect(await overStream.request(out)).toEqual((await post(second, out)).json);
    socket.close();
    expect(await post(second, { command: 'stepBack', run, thread, at: 1 })).toMatchObject({
      status: 404,
      json: { reason: 'NotFound' },
    });
    expect(await post(second, { command: 'stepBack', run: 'none', thread })).toMatchObject({ status: 404 });
  });

  it.each([
    ['{', 400, 'BadRequest'],
    ['{"command":"dance"}', 400, 'BadRequest'],
    ['{"command":"setBreakpoints","breakpoints":[{}]}', 400, 'BadRequest'],
    ['{"command":"followLogs","namespace":"default","name":"web","container":"app"}', 400, 'BadRequest'],
    ['{"command":"deleteFaultPlan","name":"none"}', 404, 'NotFound'],
    ['{"command":"variables","variablesReference":12345}', 410, 'StaleReference'],
    ['{"command":"setExceptionBreakpoints","filters":[{"filter":"anyError","condition":"("}]}', 422, 'Invalid'],
  ])('rejects %s', async (body, status, reason) => {
    const server = await start();
    const answer = await server.request('POST', '/debug/v1/commands', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer).toMatchObject({ status, json: { reason, message: expect.any(String) } });
  });

  it('requires the token and a JSON body', async () => {
    const server = await start();
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"command":"debugState"}';
    expect(
      (await server.request('POST', '/debug/v1/commands', { body, headers: { ...headers, Authorization: '' } })).status,
    ).toBe(401);
    expect(
      (
        await server.request('POST', '/debug/v1/commands', {
          body,
          headers: { ...headers, Origin: 'http://evil.example' },
        })
      ).status,
    ).toBe(403);
    expect(
      (await server.request('POST', '/debug/v1/commands', { body, headers: { 'Content-Type': 'text/plain' } })).status,
    ).toBe(415);
    expect((await server.request('GET', '/debug/v1/nothing')).status).toBe(404);
  });
});

describe('after a restart', () => {
  it('restores breakpoints with their ids, filters and plans', async () => {
    const first = await start();
    await post(first, {
      command: 'setBreakpoints',
      breakpoints: [{ point: 'cri.PullImage' }, { point: 'cri.StartContainer', condition: 'container == "app"' }],
    });
    await post(first, {
      command: 'setBreakpoints',
      breakpoints: [{ point: 'cri.StartContainer', condition: 'container == "app"' }],
    });
    await post(first, { command: 'setExceptionBreakpoints', filters: [{ filter: 'anyError' }] });
    await post(first, {
      command: 'setFaultPlan',
      yaml: 'name: slow\nfaults: [{at: cri.PullImage, delay: 1s}]',
      enabled: false,
    });
    await first.stop();
    const second = await start('--state-dir', first.stateDir);
    expect(await stateOf(second)).toMatchObject({
      breakpoints: [{ id: 2, spec: { point: 'cri.StartContainer' }, verified: true }],
      filters: [{ filter: 'anyError' }],
      plans: [{ name: 'slow', enabled: false }],
      faults: [],
    });
    // The recorded run contains the restored breakpoints from its first event on.
    const { run } = (await second.request('GET', '/runs/current')).json as { run: { debug: unknown } };
    expect(run.debug).toMatchObject({
      breakpoints: [{ group: '', spec: { point: 'cri.StartContainer' } }],
      filters: [{ filter: 'anyError' }],
    });
  });

  it('restores faults set by hand with their counters, and reports it', async () => {
    const first = await start();
    const fault = (message: string): object => ({
      at: 'cri.CreateContainer',
      times: 2,
      fail: { grpc: 'Internal', message },
    });
    const faults = [
      { ...fault('first'), times: 1 },
      { ...fault('second'), skip: 1 },
    ];
    await post(first, { command: 'setFaults', group: 'mine', faults } as Command);
    // Time is paused after the first attempt to create the container, because the second fault applies to a later one.
    await post(first, { command: 'setTime', paused: true });
    await post(first, { command: 'apply', manifest: pod('web') });
    await post(first, { command: 'stepTime', milliseconds: 3_000 });
    expect((await stateOf(first)).faults).toMatchObject([{ applied: 1 }, { applied: 0 }]);
    await first.stop();
    const second = await start('--state-dir', first.stateDir);
    // The first fault was applied `times` times, so it isn't restored.
    expect((await stateOf(second)).faults).toMatchObject([
      { id: 2, group: 'mine', verified: true, kept: true, spec: { times: 2 } },
    ]);
    expect(second.nodeHost.log.after(0)).toContainEqual(
      expect.objectContaining({
        type: 'output',
        level: 'warning',
        message: expect.stringContaining('Still in force from before the restart: cri.CreateContainer'),
      }),
    );
    await post(second, { command: 'setFaults', group: 'mine', faults: [] });
    expect((await stateOf(second)).faults).toEqual([]);
  });

  it('starts without debugger state that it cannot read', async () => {
    const first = await start();
    await first.stop();
    await writeFile(join(first.stateDir, 'debugger.json'), '{"version": 1, "breakpoints": [{"id": 0}]}');
    const second = await start('--state-dir', first.stateDir);
    expect(await stateOf(second)).toMatchObject({ breakpoints: [] });
  });
});

describe('--faults', () => {
  it('applies a plan from the start', async () => {
    const file = join(directory, 'plan.yaml');
    await writeFile(
      file,
      'name: no-containers\nfaults:\n  - at: cri.CreateContainer\n    fail: {grpc: Internal, message: injected}\n',
    );
    const server = await start('--faults', file);
    await post(server, { command: 'apply', manifest: pod('web') });
    const waiting = { reason: 'CreateContainerError', message: 'injected' };
    const status = (): unknown => server.nodeHost.api.storage.get('Pod', 'default', 'web')?.status;
    await vi.waitFor(() => expect(status()).toMatchObject({ containerStatuses: [{ state: { waiting } }] }), {
      timeout: 120_000,
    });
  });

  it.each([
    ['name: x\nfaults:\n  - at: cri.PullImage\n    delay: soon\n', 'plan.yaml:4: faults[0].delay: '],
    [undefined, 'cannot be read'],
  ])('rejects %j at the start', async (text, message) => {
    const file = join(directory, 'plan.yaml');
    if (text !== undefined) await writeFile(file, text);
    await expect(start('--faults', file)).rejects.toThrow(message);
  });
});
