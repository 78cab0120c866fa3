/** Real containers: a pod is stopped before CreateContainer, looked into, failed, and goes on to run. */
import type { ContainerState } from '@podscope/k8s';
import type { Command, DebugState, Scope, Variable } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const manifest = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'debugged' },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'busybox:1.36', imagePullPolicy: 'IfNotPresent', command: ['sleep', '3600'] }] },
});

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(['--runtime', 'docker', '--sandbox-image', 'podscope/pause:local']);
});
// Pods and their containers go with the server.
afterAll(() => server.dispose());

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
    { timeout: 60_000, interval: 100 },
  );

const containerState = (): ContainerState => server.cluster.storage.get('Pod', 'default', 'debugged')?.status?.containerStatuses?.[0]?.state ?? {};

const events = (): readonly TraceEvent[] => server.cluster.log.after(0);

it('stops before CreateContainer, shows the request, fails it, and lets the pod run', async () => {
  await run({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer', pod: 'debugged' }] });
  await run({ command: 'apply', manifest });
  const stop = await stopped();
  expect(stop).toMatchObject({ reason: 'breakpoint', point: 'cri.CreateContainer', phase: 'before', pod: { name: 'debugged' } });
  const { thread } = stop;

  const { scopes } = await run<{ scopes: Scope[] }>({ command: 'scopes', thread });
  const request = scopes.find(({ name }) => name === 'CRI request');
  const { variables } = await run<{ variables: Variable[] }>({ command: 'variables', variablesReference: request?.variablesReference ?? 0 });
  expect(variables.map(({ name }) => name)).toEqual(['podSandboxId', 'config', 'sandboxConfig']);
  expect(await run({ command: 'evaluate', thread, expression: 'request.config.command' })).toMatchObject({ value: '["sleep", "3600"]' });

  await run({ command: 'intervene', thread, action: { fail: { grpc: 'Unknown', message: 'Error response from daemon: no space left on device' } } });
  await vi.waitFor(
    () => expect(containerState().waiting).toEqual({ reason: 'CreateContainerError', message: 'Error response from daemon: no space left on device' }),
    { timeout: 30_000, interval: 100 },
  );
  expect(events()).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'intervention', action: 'fail', origin: 'stop', span: stop.span })]));

  // The kubelet tries again, and is failed one layer further down, by the engine.
  await stopped();
  const docker = { at: 'docker.CreateContainer', pod: 'debugged', times: 1, fail: { docker: 500, message: 'the engine is out of sorts' } };
  expect(await run({ command: 'setFaults', faults: [docker] })).toMatchObject({ faults: [{ verified: true }] });
  await run({ command: 'continue', thread });
  await vi.waitFor(() => expect(containerState().waiting?.message).toContain('Error response from daemon: the engine is out of sorts'), {
    timeout: 30_000,
    interval: 100,
  });
  const delays = events().flatMap((event) =>
    event.type === 'decision' && event.rule === 'podWorkers.nextSync' && event.pod === thread ? [String(event.outcome)] : [],
  );
  expect(delays.some((delay) => /^in 1\d(\.\d+)? s$|^in [5-9](\.\d+)? s$/.test(delay))).toBe(true);

  await stopped();
  await run({ command: 'setBreakpoints', breakpoints: [] });
  await run({ command: 'continue', thread });
  await vi.waitFor(() => expect(containerState().running).toBeDefined(), { timeout: 60_000, interval: 100 });

  // What it is behind the kubelet's back.
  await run({ command: 'killContainer', namespace: 'default', name: 'debugged', container: 'app' });
  await vi.waitFor(
    () =>
      expect(events()).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'runtimeStateChanged', name: 'app', to: 'exited', exitCode: 137 })])),
    {
      timeout: 30_000,
      interval: 100,
    },
  );
}, 180_000);
