/**
 * Kills the relay's process and the server of an observed node with SIGKILL while a client makes calls: only calls in
 * flight are lost.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectCri, type RemoteRuntime } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Churn, churn, type Outage, unexplained } from './testing/churn.ts';
import { type KillableRelay, kill, killableRelay } from './testing/killable-relay.ts';
import { sandboxConfigOf } from './testing/sandbox-config.ts';
import { startDebugger } from './testing/start-debugger.ts';

const kills = process.env['PODSCOPE_TEST_LONG'] ? 50 : 2;
/** The limit of a test, which starts a process for each kill, in milliseconds. */
const limit = 60_000 * (kills + 3);
const soon = { timeout: 120_000, interval: 20 };
/** The number of calls that are always in flight. */
const inFlight = 4;
/** How long the runtime works on a call, in milliseconds, so that a kill interrupts calls. */
const callTakes = 20;

let cleanups: (() => unknown)[];
let relay: KillableRelay;
let kubelet: RemoteRuntime;
/** How many times the runtime got the call for each sandbox. */
let served: Map<string, number>;
/** How many times a debugger has connected: the relay then lists the sandboxes itself. */
let connections: number;

beforeEach(async () => {
  cleanups = [];
  served = new Map();
  connections = 0;
  const runtime = await serveFake(
    fakeServices({
      runPodSandbox: (_ctx, { config }) => {
        const name = config.metadata?.name ?? '';
        served.set(name, (served.get(name) ?? 0) + 1);
        return sleep(callTakes, { podSandboxId: `sandbox-of-${name}` });
      },
      createContainer: () => sleep(callTakes, { containerId: 'container-1' }),
      listPodSandbox: () => {
        connections += 1;
        return Promise.resolve({ items: [] });
      },
      listContainers: () => Promise.resolve({ containers: [] }),
    }),
  );
  cleanups.push(() => runtime.close());
  relay = await killableRelay(runtime.path);
  cleanups.push(() => relay.close());
  kubelet = await connectCri(testContext(), relay.endpoint);
  cleanups.push(() => kubelet.close());
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

const createContainer = () =>
  kubelet.runtime.createContainer(testContext(), {
    podSandboxId: 'sandbox-of-pod-1',
    config: { metadata: { name: 'app', attempt: 0 }, image: { image: 'busybox:1.36' } },
    sandboxConfig: sandboxConfigOf('pod-1'),
  } as never);

/** Creates sandboxes of new names until it is stopped. */
const churnOfSandboxes = (): Churn =>
  churn(inFlight, (name, recorded) =>
    recorded(kubelet.runtime.runPodSandbox(testContext(), { config: sandboxConfigOf(name), runtimeHandler: '' })),
  );

it(`no call is lost when the debugger is killed during a stop, ${kills} times under calls`, {
  timeout: limit,
}, async () => {
  const calls = churnOfSandboxes();
  cleanups.push(() => calls.stop());
  for (let count = 0; count < kills; count += 1) {
    const child = await startDebugger(relay.control, join(relay.directory, 'state'), 'cri.CreateContainer');
    cleanups.push(() => void child.kill('SIGKILL'));
    const stop = new AbortController();
    const stopped = once(child, 'message').then(() => stop.abort());
    // Calls pass at once until the relay knows the breakpoint. The last call stops there.
    let created: Promise<unknown> = Promise.resolve();
    while (!stop.signal.aborted) {
      created = createContainer();
      await Promise.race([created, stopped]);
    }
    await kill(child);
    expect(await created).toEqual({ containerId: 'container-1' });
  }
  await calls.stop();
  expect(calls.failed).toEqual([]);
  expect(served).toEqual(new Map(calls.succeeded.map((name) => [name, 1])));
});

it(`only calls in flight are lost when the relay is killed, ${kills} times under an observed node`, {
  meta: { needs: ['linux'] },
  timeout: limit,
}, async () => {
  const child = await startDebugger(relay.control, join(relay.directory, 'state'));
  cleanups.push(() => kill(child));
  await vi.waitUntil(() => connections === 1, soon);
  const calls = churnOfSandboxes();
  cleanups.push(() => calls.stop());
  /** From each kill until a call succeeds again and the debugger observes the new relay. */
  const outages: Outage[] = [];
  for (let count = 0; count < kills; count += 1) {
    const [before, connected] = [calls.succeeded.length, connections];
    await vi.waitUntil(() => calls.succeeded.length > before, soon);
    const from = performance.now();
    await relay.kill();
    await vi.waitUntil(() => connections > connected, soon);
    const again = calls.succeeded.length;
    await vi.waitUntil(() => calls.succeeded.length > again, soon);
    outages.push({ from, to: performance.now() });
  }
  await calls.stop();
  expect(unexplained(calls.failed, outages)).toEqual([]);
  // A call that was in flight may have reached the runtime, but none is forwarded twice.
  expect(calls.succeeded.filter((name) => served.get(name) !== 1)).toEqual([]);
  expect(calls.failed.filter(({ name }) => (served.get(name) ?? 0) > 1)).toEqual([]);
});
