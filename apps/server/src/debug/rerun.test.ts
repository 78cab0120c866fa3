import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command, DebugState } from '@podscope/protocol';
import { type TraceEvent, toJson } from '@podscope/trace';
import { afterEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.dispose());

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
  },
});

const post = async (body: Command): Promise<unknown> => {
  const { status, json } = await server.request('POST', '/debug/v1/commands', { body });
  expect({ status, json }).toMatchObject({ status: 200 });
  return json;
};
const step = (seconds: number): Promise<unknown> => post({ command: 'stepTime', milliseconds: seconds * 1_000 });
const pods = '/api/v1/namespaces/default/pods';
const phaseOf = async (name: string): Promise<unknown> =>
  ((await server.request('GET', `${pods}/${name}`)).json as { readonly status?: { readonly phase?: string } }).status
    ?.phase;
const eventsOf = async (run: string): Promise<readonly string[]> =>
  ((await post({ command: 'openRun', run, limit: 2_000 })) as { readonly events: readonly TraceEvent[] }).events.map(
    (event) => toJson(event),
  );
const runs = async (): Promise<readonly unknown[]> =>
  ((await post({ command: 'listRuns' })) as { readonly runs: readonly unknown[] }).runs;

it('reruns a run from an event with a change, and saves the old run', async () => {
  server = await startTestServer();
  await post({ command: 'setTime', paused: true });
  // Create one pod through the API, as kubectl does, and one with a command, as the page does.
  expect((await server.request('POST', pods, { body: pod('web') })).status).toBe(201);
  expect((await server.request('POST', `${pods}?dryRun=All`, { body: pod('tried') })).status).toBe(201);
  await step(20);
  await post({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.StartContainer', pod: 'other' }] });
  await post({ command: 'apply', manifest: toJson(pod('other')) });
  await step(20);
  expect(await phaseOf('web')).toBe('Running');
  const { stopped } = (await server.request('GET', '/debug/v1/state')).json as DebugState;
  expect(stopped).toMatchObject([{ point: 'cri.StartContainer' }]);
  const { run } = server.nodeHost.nodeInfo();
  const { lastSeq } = server.nodeHost.log;
  await server.request('DELETE', `${pods}/web`);
  await post({ command: 'continue', thread: stopped[0]?.thread ?? '' });
  await step(20);
  expect(await phaseOf('web')).toBeUndefined();
  const watch = server.request('GET', `${pods}?watch=1`);
  const first = await eventsOf(run);

  expect(await post({ command: 'rerun', seq: lastSeq })).toEqual({ run: `${run}-2` });
  // This request waits until the new run serves it.
  expect(await phaseOf('web')).toBe('Running');
  expect((await watch).status).toBe(200);
  expect((await server.request('GET', '/debug/v1/state')).json).toMatchObject({ attached: true, stopped });
  expect(await eventsOf(`${run}-2`)).toEqual(first.slice(0, lastSeq));
  expect(await runs()).toMatchObject([
    { id: `${run}-2`, state: 'current' },
    { id: run, state: 'ended' },
  ]);
  expect((await eventsOf(run)).slice(0, first.length)).toEqual(first);
  await post({
    command: 'setFaults',
    faults: [{ at: 'cri.StartContainer', times: 1, fail: { grpc: 'Internal', message: 'this time' } }],
  });
  await post({ command: 'continue', thread: stopped[0]?.thread ?? '' });
  await step(3);
  expect((await eventsOf(`${run}-2`)).join()).toContain('this time');
  expect(first.join()).not.toContain('this time');
  expect(await phaseOf('web')).toBe('Running');
});

it('starts a rerun with the pods that existed at the start of the run', async () => {
  server = await startTestServer();
  await post({ command: 'setTime', paused: true });
  await post({ command: 'apply', manifest: toJson(pod('web')) });
  await step(5);
  await post({ command: 'rerun', seq: 0 });
  expect((await server.request('GET', pods)).json).toMatchObject({ items: [] });
  const kept = join(server.stateDir, 'api');
  await vi.waitFor(
    async () =>
      expect(existsSync(kept) && (await readdir(kept)).filter((name) => name.startsWith('pods_'))).toEqual([]),
    { timeout: 120_000 },
  );
});
