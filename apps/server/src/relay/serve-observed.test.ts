/**
 * Tests the server of an observed node as a process: it reports errors and exits, and a kill during a run loses no
 * stored events.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectCri } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import { relayBefore } from '@podscope/relay/testing';
import type { TraceEvent } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStateDirectory } from '../state/state-directory.ts';
import { EventStore } from '../store/event-store.ts';
import { unlimited } from '../store/store-limits.ts';
import { eventTexts } from '../store/transfer.ts';
import { ObservedNode } from './observed-node.ts';
import { type ServeObservedOptions, serveObserved } from './serve-observed.ts';
import { sandboxConfigOf } from './testing/sandbox-config.ts';
import { startDebugger } from './testing/start-debugger.ts';

const soon = { timeout: 120_000, interval: 20 };

let directory: string;
let cleanups: (() => unknown)[];

beforeEach(async () => {
  cleanups = [];
  directory = await mkdtemp(join(tmpdir(), 'serve-observed-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

it('continues a stored run that is larger than --runs-size, without its oldest events', async () => {
  const stateDirectory = join(directory, 'state');
  const file = join(stateDirectory, 'runs.db');
  const state = await openStateDirectory(stateDirectory);
  const before = EventStore.open({ file, limits: unlimited, notify: (message) => expect.fail(message) });
  const run = before.beginRun({
    id: 'observed',
    tags: [],
    notes: [],
    startedAt: 1_000,
    nodeName: 'node',
    runtime: { name: 'containerd', version: '1.7.0', kind: 'cri' },
    profile: 'v1.36',
    engine: 'v1.36.2',
    steps: [],
    observed: { approximate: false, differences: [], sources: ['cri'], missing: [] },
  });
  for (let first = 1; first <= 12_000; first += 1_000)
    before.append(
      run,
      first,
      Array.from({ length: 1_000 }, (_, index) =>
        JSON.stringify({
          seq: first + index,
          time: 1_000,
          thread: 'main',
          type: 'output',
          level: 'info',
          message: 'x',
        }),
      ),
    );
  before.endRun(run, 'ended', 2_000);
  before.close();
  state.release();

  const control = join(directory, 'relay.sock');
  const server = await serveObserved({ control, page: false, stateDirectory, runsSize: 1 });
  cleanups.push(() => server.close());
  expect(server.node.host.nodeInfo().run).toBe('observed');
  const stored = EventStore.openExisting(file);
  cleanups.push(() => stored.close());
  await vi.waitFor(() => expect(stored.get('observed')).toMatchObject({ state: 'current', firstSeq: 10_001 }), soon);
});

describe('a server that cannot start', () => {
  const options = (more: Partial<ServeObservedOptions>): ServeObservedOptions => ({
    control: join(directory, 'relay.sock'),
    stateDirectory: join(directory, 'state'),
    ...more,
  });

  it.each([
    [
      'a kubeconfig without the context',
      { api: { kubeconfig: 'config', context: 'other', nodeName: 'node-1' } },
      'other',
    ],
    ['an address for spans that is no address', { otlp: { grpc: undefined, http: '203.0.113.1:1' } }, '203.0.113.1'],
  ])('releases its state directory: %s', async (_why, more, reason) => {
    const kubeconfig = join(directory, 'config');
    await writeFile(kubeconfig, JSON.stringify({ apiVersion: 'v1', kind: 'Config', clusters: [], contexts: [] }));
    const given = 'api' in more ? { api: { ...more.api, kubeconfig } } : more;
    await expect(serveObserved(options(given))).rejects.toThrow(reason);
    const state = await openStateDirectory(join(directory, 'state'));
    state.release();
  });
});

it('without a page exports the calls of pods, while a debugger with a page is connected', async () => {
  const exported: string[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      exported.push(body);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    collector.listen(0, '127.0.0.1', resolve);
  });
  cleanups.push(() => collector.close());
  const address = collector.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
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
  const debug = new ObservedNode({ control: relay.control, notify: () => undefined });
  cleanups.push(() => debug.close());
  await vi.waitUntil(() => debug.isConnected, soon);
  const { control } = relay;
  const server = await serveObserved({ control, page: false, otlpExport: `http://127.0.0.1:${port}` });
  cleanups.push(() => server.close());
  expect(server.url).toBeUndefined();
  await vi.waitUntil(() => server.node.isConnected, soon);
  const kubelet = await connectCri(testContext(), relay.endpoint);
  cleanups.push(() => kubelet.close());
  await vi.waitFor(async () => {
    await kubelet.runtime.runPodSandbox(testContext(), { config: sandboxConfigOf('web'), runtimeHandler: '' });
    expect(exported.join('')).toContain('RunPodSandbox');
  }, soon);
  expect(exported.join('')).toContain('"uid-of-web"');
  expect(debug.isConnected).toBe(true);
});

it('takes breakpoints of a script over HTTP, refuses those at lists, and shows the stop', async () => {
  const runtime = await serveFake(fakeServices({ runPodSandbox: async () => ({ podSandboxId: 'sandbox-1' }) }, {}));
  cleanups.push(() => runtime.close());
  const relay = await relayBefore({ runtime: runtime.path });
  cleanups.push(() => relay.close());
  const server = await serveObserved({ control: relay.control, token: 'secret' });
  cleanups.push(() => server.close());
  const send = async (command: object): Promise<unknown> => {
    const response = await fetch(new URL('/debug/v1/commands', server.url), {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    return response.json();
  };
  const set = (point: string) => send({ command: 'setBreakpoints', breakpoints: [{ point, pod: 'web' }] });
  expect(await set('cri.ListContainers')).toMatchObject({ breakpoints: [{ verified: false }] });
  expect(await set('cri.RunPodSandbox')).toMatchObject({ breakpoints: [{ verified: true }] });
  await vi.waitUntil(() => server.node.isConnected, soon);
  const kubelet = await connectCri(testContext(), relay.endpoint);
  cleanups.push(() => kubelet.close());
  const config = sandboxConfigOf('web');
  const calls: Promise<unknown>[] = [];
  await vi.waitFor(async () => {
    // The relay may not know the breakpoint yet when the first call arrives.
    calls.push(kubelet.runtime.runPodSandbox(testContext(), { config, runtimeHandler: '' }));
    expect(await send({ command: 'debugState' })).toMatchObject({ stopped: [{ thread: 'uid-of-web' }] });
  }, soon);
  await send({ command: 'setBreakpoints', breakpoints: [] });
  await send({ command: 'detach' });
  await Promise.all(calls);
});

describe('a server that is killed during a run', () => {
  const names = ['before', 'meanwhile', 'after'] as const;
  /** Opens the store of the running server; undefined if it doesn't exist yet. */
  function openStore(state: string): EventStore | undefined {
    try {
      return EventStore.openExisting(join(state, 'runs.db'));
    } catch {
      return undefined;
    }
  }

  /** Returns the names of the pods that have a sandbox in the stored run. */
  async function stored(state: string): Promise<readonly string[]> {
    const store = openStore(state);
    try {
      const [run] = store?.list() ?? [];
      if (!store || !run) return [];
      const events: TraceEvent[] = [];
      for await (const line of eventTexts(store, run.id)) events.push(JSON.parse(line) as TraceEvent);
      return names.filter((name) =>
        events.some(
          (event) =>
            event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox' && event.pod === `uid-of-${name}`,
        ),
      );
    } finally {
      store?.close();
    }
  }

  it('loses no call of the kubelet, and the next server continues the same run', async () => {
    const runPodSandbox = vi.fn<() => Promise<{ podSandboxId: string }>>(() =>
      Promise.resolve({ podSandboxId: 'sandbox-1' }),
    );
    const runtime = await serveFake(
      fakeServices(
        {
          runPodSandbox,
          listPodSandbox: () => Promise.resolve({ items: [] }),
          listContainers: () => Promise.resolve({ containers: [] }),
        },
        {},
      ),
    );
    cleanups.push(() => runtime.close());
    const relay = await relayBefore({ runtime: runtime.path });
    cleanups.push(() => relay.close());
    const kubelet = await connectCri(testContext(), relay.endpoint);
    cleanups.push(() => kubelet.close());
    const run = (name: string) =>
      kubelet.runtime.runPodSandbox(testContext(), { config: sandboxConfigOf(name), runtimeHandler: '' });
    const state = join(directory, 'state');

    const first = await startDebugger(relay.control, state);
    cleanups.push(() => void first.kill('SIGKILL'));
    // The relay reports calls only after it has accepted the debugger, which this process can't detect. So repeat calls
    // until one is stored.
    await vi.waitFor(async () => {
      await run('before');
      expect(await stored(state)).toEqual(['before']);
    }, soon);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await run('meanwhile');

    const second = await startDebugger(relay.control, state);
    cleanups.push(() => void second.kill('SIGKILL'));
    await vi.waitFor(async () => {
      await run('after');
      expect(await stored(state)).toEqual(['before', 'after']);
    }, soon);
    expect(runPodSandbox.mock.calls.length).toBeGreaterThanOrEqual(3);
    const store = openStore(state);
    expect(store?.list()).toHaveLength(1);
    store?.close();
  });
});
