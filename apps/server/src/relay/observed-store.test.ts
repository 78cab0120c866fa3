/** Tests that the run of an observed node, its breakpoints and its faults survive a restart of the debugger. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectCri } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import { relayBefore } from '@podscope/relay/testing';
import { RunFold } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { debugFile } from '../debug/debug-file.ts';
import { ObservedNode } from './observed-node.ts';
import { keepingOf, ObservedStore } from './observed-store.ts';

const soon = { timeout: 120_000, interval: 20 };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1' },
  spec: { containers: [{ name: 'app', image: 'busybox' }] },
  status: { phase: 'Running' },
} as const;
const config = {
  metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt: 0 },
  hostname: '',
  logDirectory: '',
  labels: {},
  annotations: {},
  portMappings: [],
};

let directory: string;
let cleanups: (() => unknown)[];
let control: string;
let endpoint: string;

beforeEach(async () => {
  cleanups = [];
  directory = await mkdtemp(join(tmpdir(), 'observed-store-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  const runtime = await serveFake(
    fakeServices(
      {
        runPodSandbox: () => Promise.resolve({ podSandboxId: 'sandbox-1' }),
        listPodSandbox: () => Promise.resolve({ items: [] }),
        listContainers: () => Promise.resolve({ containers: [] }),
      },
      {},
    ),
  );
  cleanups.push(() => runtime.close());
  const relay = await relayBefore({ runtime: runtime.path });
  cleanups.push(() => relay.close());
  ({ control, endpoint } = relay);
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

/** Starts a debugger with the state that earlier debuggers of the test have saved. */
async function start() {
  const stored = new ObservedStore({
    file: join(directory, 'runs.db'),
    memory: join(directory, 'observer.json'),
    maxBytes: 2 * 1024 ** 3,
    notify: (message) => expect.fail(message),
  });
  const node = new ObservedNode({
    control,
    notify: () => undefined,
    keeping: keepingOf(stored),
    persistence: debugFile(join(directory, 'debugger.json'), (message) => expect.fail(message)),
  });
  await vi.waitUntil(() => node.isConnected, soon);
  return {
    node,
    stored,
    pods() {
      const fold = new RunFold();
      fold.applyAll(node.log.after(0));
      return fold.pods();
    },
    async stop() {
      await node.close();
      stored.close();
    },
  };
}

async function runSandbox(): Promise<void> {
  const kubelet = await connectCri(testContext(), endpoint);
  await kubelet.runtime.runPodSandbox(testContext(), { config, runtimeHandler: '' });
  await kubelet.close();
}

describe('the run of an observed node', () => {
  it('continues after a restart: pods, calls and event numbers', async () => {
    const first = await start();
    first.node.observer.pods({ t: Date.now(), pods: [pod] });
    await runSandbox();
    await vi.waitFor(() => expect(first.pods()[0]?.sandbox.attempts).toHaveLength(1), soon);
    const { run } = first.node.host.nodeInfo();
    await first.stop();

    const second = await start();
    expect(second.node.host.nodeInfo().run).toBe(run);
    expect(second.pods().map(({ name, sandbox }) => [name, sandbox.attempts.length])).toEqual([['web', 1]]);
    const numbers = second.node.log.after(0).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    // Simulate that the pod was removed while no debugger ran.
    second.node.observer.pods({ t: Date.now(), pods: [] });
    expect(second.pods()[0]?.deletedAt).toBeDefined();
    expect(second.stored.store.list()).toHaveLength(1);
    await second.stop();
  });

  it('ends calls that were in flight, and reports the gap', async () => {
    const first = await start();
    first.node.observer.pods({ t: Date.now(), pods: [pod] });
    first.node.observer.callStarted({
      number: 1_000,
      service: 'runtime.v1.RuntimeService',
      method: 'RunPodSandbox',
      metadata: {},
      t: Date.now(),
      deadline: undefined,
      request: { config },
    });
    // Copy the store while it is open, to simulate a crash: open spans have no end, but the events that were sent are
    // stored.
    first.stored.store.list();
    const copy = first.node.log.after(0);
    await first.stop();

    const second = await start();
    const events = second.node.log.after(0);
    expect(copy.some((event) => event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox')).toBe(true);
    const begun = events.flatMap((event) =>
      event.type === 'spanStarted' && event.seq <= copy.length ? [event.span] : [],
    );
    const open = new Set(begun);
    for (const event of events) if (event.type === 'spanEnded') open.delete(event.span);
    expect([...open]).toEqual([]);
    expect(events.flatMap((event) => (event.type === 'output' ? [event.message] : []))).toEqual([
      expect.stringMatching(/^The debugger did not run from .*: calls of that time are missing\.$/),
    ]);
    await second.stop();
  });

  it('keeps the expiry of faults and of plans: a restart does not prolong them', async () => {
    const plan = 'name: plan\nfaults: [{ at: cri.StartContainer, hang: true, expires: 1ms }]\n';
    const first = await start();
    first.node.debugger.setFaults('', [
      { at: 'cri.PullImage', hang: true, expires: '1ms' },
      { at: 'cri.StopContainer', hang: true, expires: '1h' },
    ]);
    first.node.debugger.setFaultPlan(plan);
    await first.stop();
    const second = await start();
    const { faults } = second.node.debugger.state();
    expect(faults.map(({ spec, message }) => [spec.at, message])).toEqual([
      ['cri.StopContainer', undefined],
      ['cri.StartContainer', 'the fault has expired'],
    ]);
    await second.stop();
  });

  it('keeps breakpoints and faults', async () => {
    const first = await start();
    first.node.debugger.setBreakpoints('', [{ point: 'cri.StartContainer', pod: 'web' }]);
    first.node.debugger.setFaults('', [{ at: 'cri.PullImage', delay: '5s' }]);
    await first.stop();
    const second = await start();
    const { breakpoints, faults } = second.node.debugger.state();
    expect(breakpoints.map(({ spec }) => spec)).toEqual([{ point: 'cri.StartContainer', pod: 'web' }]);
    expect(faults.map(({ spec }) => spec)).toMatchObject([{ at: 'cri.PullImage', delay: '5s' }]);
    await second.stop();
  });
});
