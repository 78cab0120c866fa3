/**
 * Kills the relay's process and the server of an observed node with SIGKILL while a client makes calls: only calls in
 * flight are lost.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectCri, type RemoteRuntime } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import { relayArguments, supervisorProgram } from '@podscope/relay';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
let directory: string;
let supervisor: ChildProcess;
let kubelet: RemoteRuntime;
/** How many times the runtime got the call for each sandbox. */
let served: Map<string, number>;
/** How many times a debugger has connected: the relay then lists the sandboxes itself. */
let connections: number;

const control = (): string => join(directory, 'relay.sock');

beforeEach(async () => {
  cleanups = [];
  served = new Map();
  connections = 0;
  directory = await mkdtemp(join(tmpdir(), 'kill-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
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
  const listen = join(directory, 'cri.sock');
  const args = relayArguments({ listen, runtime: runtime.path, control: control(), version: 'test' });
  supervisor = fork(fileURLToPath(supervisorProgram), args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  cleanups.push(async () => {
    const exited = once(supervisor, 'exit');
    supervisor.kill('SIGTERM');
    await exited;
  });
  await once(supervisor, 'message');
  kubelet = await connectCri(testContext(), `unix://${listen}`);
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

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A call that failed, with the times at which it was made and failed. */
interface Failure {
  readonly name: string;
  readonly began: number;
  readonly ended: number;
}

/** Makes calls until it is stopped: creates a sandbox of a new name, always several at the same time. */
function churn() {
  const stopping = new AbortController();
  let last = 0;
  const succeeded: string[] = [];
  const failed: Failure[] = [];
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const name = `pod-${++last}`;
      const began = performance.now();
      await kubelet.runtime.runPodSandbox(testContext(), { config: sandboxConfigOf(name), runtimeHandler: '' }).then(
        () => void succeeded.push(name),
        () => void failed.push({ name, began, ended: performance.now() }),
      );
      // Let other events be handled, even if calls fail at once.
      await sleep(0);
    }
  };
  const all = Promise.all(Array.from({ length: inFlight }, work));
  return {
    succeeded,
    failed,
    async stop() {
      stopping.abort();
      await all;
    },
  };
}

it(`no call is lost when the debugger is killed during a stop, ${kills} times under calls`, {
  timeout: limit,
}, async () => {
  const calls = churn();
  cleanups.push(() => calls.stop());
  for (let count = 0; count < kills; count += 1) {
    const child = await startDebugger(control(), join(directory, 'state'), 'cri.CreateContainer');
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

/** Returns the pid of the relay process that the supervisor started. Works only on Linux. */
const relayPid = async (): Promise<number> => {
  const children = await readFile(`/proc/${supervisor.pid}/task/${supervisor.pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0] ?? 0);
};

it(`only calls in flight are lost when the relay is killed, ${kills} times under an observed node`, {
  meta: { needs: ['linux'] },
  timeout: limit,
}, async () => {
  const child = await startDebugger(control(), join(directory, 'state'));
  cleanups.push(() => kill(child));
  await vi.waitUntil(() => connections === 1, soon);
  const calls = churn();
  cleanups.push(() => calls.stop());
  /** From each kill until a call succeeds again and the debugger observes the new relay. */
  const outages: { readonly from: number; readonly to: number }[] = [];
  for (let count = 0; count < kills; count += 1) {
    const [before, connected] = [calls.succeeded.length, connections];
    await vi.waitUntil(() => calls.succeeded.length > before, soon);
    const from = performance.now();
    process.kill(await relayPid(), 'SIGKILL');
    await vi.waitUntil(() => connections > connected, soon);
    const again = calls.succeeded.length;
    await vi.waitUntil(() => calls.succeeded.length > again, soon);
    outages.push({ from, to: performance.now() });
  }
  await calls.stop();
  const unexplained = calls.failed.filter(
    ({ began, ended }) => !outages.some(({ from, to }) => began <= to && ended >= from),
  );
  expect(unexplained).toEqual([]);
  // A call that was in flight may have reached the runtime, but none is forwarded twice.
  expect(calls.succeeded.filter((name) => served.get(name) !== 1)).toEqual([]);
  expect(calls.failed.filter(({ name }) => (served.get(name) ?? 0) > 1)).toEqual([]);
});
