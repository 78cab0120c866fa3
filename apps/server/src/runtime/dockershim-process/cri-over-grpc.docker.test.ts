/**
 * Runs the kubelet and dockershim in two processes with CRI over gRPC between them. Their spans must be in one trace,
 * and one debugger must stop both.
 */
import { readFile } from 'node:fs/promises';
import type { ContainerState } from '@podscope/k8s';
import type { Command, DebugState } from '@podscope/protocol';
import type { TraceEventOf } from '@podscope/trace';
import { afterEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const name = 'two-processes';
const manifest = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'echo hello; sleep 3600'] }],
  },
});

const dockershimSteps = [
  'dockershim.ensureSandboxImage',
  'dockershim.createSandboxContainer',
  'dockershim.createSandboxCheckpoint',
  'dockershim.startSandboxContainer',
  'dockershim.setUpSandboxNetwork',
];

let server: TestServer | undefined;
afterEach(async () => {
  // Stopping the server also removes its pods and containers.
  await server?.dispose();
  server = undefined;
});

async function started(...args: readonly string[]): Promise<TestServer> {
  const options = ['--runtime', 'docker', '--sandbox-image', 'podscope/pause:local', '--pod-cgroups', 'off'];
  server = await startTestServer([...options, '--cri-over-grpc', ...args]);
  return server;
}

async function run<T>(target: TestServer, body: Command): Promise<T> {
  const { status, json, text } = await target.request('POST', '/debug/v1/commands', { body });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return json as T;
}

const containerState = ({ nodeHost }: TestServer): ContainerState =>
  nodeHost.api.storage.get('Pod', 'default', name)?.status?.containerStatuses?.[0]?.state ?? {};

const untilRunning = (node: TestServer): Promise<void> =>
  vi.waitFor(() => expect(containerState(node)).toHaveProperty('running'), { timeout: 120_000, interval: 100 });

const spansOf = ({ nodeHost }: TestServer): readonly TraceEventOf<'spanStarted'>[] =>
  nodeHost.log.after(0).filter((event) => event.type === 'spanStarted');

/**
 * Returns the points of the spans below the last span at `point` that succeeded, because the kubelet repeats a call
 * that failed. The points of parents come before those of their children.
 */
function below(node: TestServer, point: string): string[] {
  const spans = spansOf(node);
  const succeeded = new Set(
    node.nodeHost.log.after(0).flatMap((event) => (event.type === 'spanEnded' && !event.error ? [event.span] : [])),
  );
  const root = spans.findLast(({ point: own, span }) => own === point && succeeded.has(span));
  const inside = new Set([root?.span]);
  return spans
    .filter(({ span, parent }) => parent !== undefined && inside.has(parent) && inside.add(span))
    .map((span) => span.point);
}

/** Returns the distinct paths of the CRI methods in the log. */
const paths = ({ nodeHost }: TestServer): ReadonlySet<unknown> =>
  new Set(nodeHost.log.after(0).flatMap((event) => (event.type === 'spanEnded' ? [event.attributes?.['path']] : [])));

/** Returns the ids of this process's children whose command line contains the text. */
async function childrenWith(text: string): Promise<number[]> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  const found: number[] = [];
  for (const pid of children.split(' ').filter(Boolean)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(text)) found.push(Number(pid));
  }
  return found;
}

it("shows dockershim's steps and Docker calls below each CRI call, stops there, and survives its crash", async () => {
  const node = await started();
  await run(node, { command: 'setBreakpoints', breakpoints: [{ point: 'docker.StartContainer', pod: name }] });
  const detach = node.nodeHost.debugger.attach();
  await run(node, { command: 'apply', manifest });
  const stop = await vi.waitFor(
    async () => {
      const [first] = (await run<DebugState>(node, { command: 'debugState' })).stopped;
      if (!first) throw new Error('nothing is stopped');
      return first;
    },
    { timeout: 120_000, interval: 50 },
  );
  expect(stop).toMatchObject({ reason: 'breakpoint', point: 'docker.StartContainer', phase: 'before', pod: { name } });
  await run(node, { command: 'setBreakpoints', breakpoints: [] });
  await run(node, { command: 'continue', thread: stop.thread });
  await untilRunning(node);
  expect(below(node, 'cri.RunPodSandbox').filter((point) => point.startsWith('dockershim.'))).toEqual(
    expect.arrayContaining(dockershimSteps),
  );
  expect(below(node, 'dockershim.startSandboxContainer')).toContain('docker.StartContainer');
  expect(paths(node)).toContain('/runtime.v1.RuntimeService/RunPodSandbox');
  const threads = spansOf(node).flatMap(({ point, thread }) => (point === 'docker.CreateContainer' ? [thread] : []));
  expect(new Set(threads)).toEqual(new Set([stop.thread]));
  detach();

  const [first] = await childrenWith('dockershim-process');
  if (first === undefined) throw new Error('the server has no dockershim process');
  process.kill(first, 'SIGKILL');
  await vi.waitFor(
    async () => {
      const [next] = await childrenWith('dockershim-process');
      expect(next).toSatisfy((pid) => pid !== undefined && pid !== first);
    },
    { timeout: 120_000, interval: 100 },
  );
  // The kubelet uses the new dockershim process, which finds the containers of the old process.
  await run(node, { command: 'deletePod', namespace: 'default', name });
  await vi.waitFor(() => expect(node.nodeHost.api.storage.get('Pod', 'default', name)).toBeUndefined(), 120_000);
}, 400_000);

it('speaks v1alpha2 in v1.20', async () => {
  const node = await started('--profile', 'v1.20');
  await run(node, { command: 'apply', manifest });
  await untilRunning(node);
  expect(paths(node)).toContain('/runtime.v1alpha2.RuntimeService/RunPodSandbox');
  expect(below(node, 'cri.StartContainer')).toContain('docker.StartContainer');
}, 400_000);
