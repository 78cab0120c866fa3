/**
 * Debugs a pod with real containers on a network of real CNI plugins. The test injects a failure at each layer, stops
 * there, inspects the variables, and continues the pod.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ContainerState } from '@podscope/k8s';
import type { Command, DebugState, Scope, Variable } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const image = { image: 'busybox:1.36', imagePullPolicy: 'IfNotPresent' };
const manifest = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'debugged' },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      { ...image, name: 'app', command: ['sleep', '3600'] },
      { ...image, name: 'heeds', command: ['sh', '-c', 'trap "exit 7" TERM; sleep 3600 & wait'] },
    ],
  },
});

const bridge = `psdbg${process.pid % 100_000}`;
let directory: string;
let server: TestServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-debug-'));
  await mkdir(join(directory, 'net.d'));
  const ipam = { type: 'host-local', dataDir: join(directory, 'ipam'), ranges: [[{ subnet: '10.253.78.0/24' }]] };
  const plugins = [{ type: 'bridge', bridge, isGateway: true, ipam }];
  await writeFile(
    join(directory, 'net.d', '10-debug.conflist'),
    JSON.stringify({ cniVersion: '0.4.0', name: bridge, plugins }),
  );
  const network = ['--network-plugin', 'cni', '--cni-conf-dir', join(directory, 'net.d')];
  server = await startTestServer(['--runtime', 'docker', '--sandbox-image', 'podscope/pause:local', ...network]);
});
afterAll(async () => {
  // Stopping the server also removes its pods and containers.
  await server.dispose();
  await promisify(execFile)('ip', ['link', 'delete', bridge]).catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
});

async function run<T>(body: Command): Promise<T> {
  const { status, json, text } = await server.request('POST', '/debug/v1/commands', { body });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return json as T;
}

const stopped = (): Promise<DebugState['stopped'][number]> =>
  vi.waitFor(
    async () => {
      const [first] = (await run<DebugState>({ command: 'debugState' })).stopped;
      if (!first) throw new Error('nothing is stopped');
      return first;
    },
    { timeout: 120_000, interval: 100 },
  );

const containerState = (name = 'app'): ContainerState =>
  server.nodeHost.api.storage
    .get('Pod', 'default', 'debugged')
    ?.status?.containerStatuses?.find((status) => status.name === name)?.state ?? {};

const events = (): readonly TraceEvent[] => server.nodeHost.log.after(0);

const untilSeen = (...seen: readonly object[]): Promise<void> =>
  vi.waitFor(
    () =>
      expect(events()).toEqual(expect.arrayContaining(seen.map((event): unknown => expect.objectContaining(event)))),
    {
      timeout: 120_000,
      interval: 100,
    },
  );

it('stops before CreateContainer, shows the request, fails it, and lets the pod run', async () => {
  await run({
    command: 'setBreakpoints',
    breakpoints: [{ point: 'cri.CreateContainer', pod: 'debugged', container: 'app' }],
  });
  // First the network fails: the plugin returns an error in its own format, and the kubelet retries.
  const network = { condition: 'plugin == "bridge"', times: 1 };
  const add = {
    at: 'cni.ADD',
    ...network,
    fail: { cni: 11, message: 'no addresses available', details: 'says the debugger' },
  };
  expect(await run({ command: 'setFaults', group: 'network', faults: [add] })).toMatchObject({
    faults: [{ verified: true }],
  });
  await run({ command: 'apply', manifest });
  await untilSeen({
    type: 'kubernetesEvent',
    reason: 'FailedCreatePodSandBox',
    message: expect.stringMatching(
      /networkPlugin cni failed to set up pod "debugged_default" network: no addresses available; says the debugger/,
    ),
  });
  const stop = await stopped();
  expect(stop).toMatchObject({
    reason: 'breakpoint',
    point: 'cri.CreateContainer',
    phase: 'before',
    pod: { name: 'debugged' },
  });
  const { thread } = stop;

  const { scopes } = await run<{ scopes: Scope[] }>({ command: 'scopes', thread });
  const request = scopes.find(({ name }) => name === 'CRI request');
  const { variables } = await run<{ variables: Variable[] }>({
    command: 'variables',
    variablesReference: request?.variablesReference ?? 0,
  });
  expect(variables.map(({ name }) => name)).toEqual(['podSandboxId', 'config', 'sandboxConfig']);
  expect(await run({ command: 'evaluate', thread, expression: 'request.config.command' })).toMatchObject({
    value: '["sleep", "3600"]',
  });

  await run({
    command: 'intervene',
    thread,
    action: { fail: { grpc: 'Unknown', message: 'Error response from daemon: no space left on device' } },
  });
  await vi.waitFor(
    () =>
      expect(containerState().waiting).toEqual({
        reason: 'CreateContainerError',
        message: 'Error response from daemon: no space left on device',
      }),
    { timeout: 120_000, interval: 100 },
  );
  expect(events()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'intervention', action: 'fail', origin: 'stop', span: stop.span }),
    ]),
  );

  // The kubelet retries. The next fault is one layer below, in the Docker Engine.
  await stopped();
  const docker = {
    at: 'docker.CreateContainer',
    pod: 'debugged',
    times: 1,
    fail: { docker: 500, message: 'the engine is out of sorts' },
  };
  expect(await run({ command: 'setFaults', faults: [docker] })).toMatchObject({ faults: [{ verified: true }] });
  await run({ command: 'continue', thread });
  await vi.waitFor(
    () => expect(containerState().waiting?.message).toContain('Error response from daemon: the engine is out of sorts'),
    {
      timeout: 120_000,
      interval: 100,
    },
  );
  // The back-off delay is decided after the status was written.
  const delays = (): readonly string[] =>
    events().flatMap((event) =>
      event.type === 'decision' && event.rule === 'podWorkers.nextSync' && event.pod === thread
        ? [String(event.outcome)]
        : [],
    );
  await expect.poll(delays).toContainEqual(expect.stringMatching(/^in (?:1\d|[5-9])(?:\.\d+)?s$/));

  // After the call, the request to the engine and its response are visible.
  await stopped();
  await run({
    command: 'setBreakpoints',
    breakpoints: [{ point: 'cri.CreateContainer', when: 'after', container: 'app' }],
  });
  await run({ command: 'continue', thread });
  await vi.waitFor(async () => expect(await stopped()).toMatchObject({ phase: 'after' }), {
    timeout: 120_000,
    interval: 100,
  });
  const after = await run<{ scopes: Scope[] }>({ command: 'scopes', thread });
  const asked = after.scopes.find(({ name }) => name === 'Docker requests');
  const calls = await run<{ variables: Variable[] }>({
    command: 'variables',
    variablesReference: asked?.variablesReference ?? 0,
  });
  const shown = calls.variables.map(({ value }) => value).join('\n');
  expect(shown).toMatch(/ContainerCreate/);
  expect(await run({ command: 'evaluate', thread, expression: 'response.containerId.size()' })).toMatchObject({
    value: '64',
  });
  await expect(
    run({ command: 'killContainer', namespace: 'default', name: 'debugged', container: 'heeds', exitCode: 3 }),
  ).rejects.toThrow('422');

  await run({ command: 'setBreakpoints', breakpoints: [] });
  await run({ command: 'continue', thread });
  await vi.waitFor(() => expect([containerState().running, containerState('heeds').running]).not.toContain(undefined), {
    timeout: 120_000,
    interval: 100,
  });

  // Kill a container without the kubelet's knowledge.
  await run({ command: 'killContainer', namespace: 'default', name: 'debugged', container: 'app' });
  await run({ command: 'killContainer', namespace: 'default', name: 'debugged', container: 'heeds', signal: 'TERM' });
  const exited = { type: 'runtimeStateChanged', to: 'exited' };
  await untilSeen({ ...exited, name: 'app', exitCode: 137 }, { ...exited, name: 'heeds', exitCode: 7 });

  // If a network plugin fails to remove the network, the kubelet calls it again until it succeeds.
  await run({
    command: 'setFaults',
    group: 'network',
    faults: [{ at: 'cni.DEL', ...network, fail: { cni: 5, message: 'the link is busy' } }],
  });
  await run({ command: 'deletePod', namespace: 'default', name: 'debugged' });
  await vi.waitFor(() => expect(server.nodeHost.api.storage.get('Pod', 'default', 'debugged')).toBeUndefined(), {
    timeout: 120_000,
    interval: 100,
  });
  await untilSeen({
    type: 'intervention',
    action: 'fail',
    point: 'cni.DEL',
    text: 'DEL fails with CNI 5: the link is busy',
  });
}, 400_000);
