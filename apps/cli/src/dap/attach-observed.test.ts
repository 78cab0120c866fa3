/** Tests DAP at a genuine kubelet: an editor attaches to an observed node’s server and stops a call of the relay. */
import type { RuntimeService } from '@podscope/cri';
import { connectCri } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import { relayBefore } from '@podscope/relay/testing';
import { serveObserved } from '@podscope/server/relay';
import { afterEach, expect, it, vi } from 'vitest';
import { sandboxConfigOf } from '../../../server/src/relay/testing/sandbox-config.ts';
import { DapClient } from './testing/dap-client.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

it('stops a call of a genuine kubelet, shows its request, forwards it on continue, then stops none', async () => {
  const runPodSandbox = vi.fn<RuntimeService['runPodSandbox']>().mockResolvedValue({ podSandboxId: 'sandbox-1' });
  const runtime = await serveFake(
    fakeServices({
      runPodSandbox,
      listPodSandbox: () => Promise.resolve({ items: [] }),
      listContainers: () => Promise.resolve({ containers: [] }),
    }),
  );
  cleanups.push(() => runtime.close());
  const relay = await relayBefore({ runtime: runtime.path });
  cleanups.push(() => relay.close());
  const server = await serveObserved({ control: relay.control });
  cleanups.push(() => server.close());
  const { url, node } = server;
  await vi.waitUntil(() => node.isConnected, { timeout: 120_000 });
  const kubelet = await connectCri(testContext(), relay.endpoint);
  cleanups.push(() => kubelet.close());
  const run = (name: string) =>
    kubelet.runtime.runPodSandbox(testContext(), { config: sandboxConfigOf(name), runtimeHandler: '' });
  await run('before');

  const editor = new DapClient();
  const { origin, searchParams } = new URL(url ?? '');
  await editor.begin('attach', { url: origin, token: searchParams.get('token') }, async () => {
    await editor.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.RunPodSandbox' }] });
  });
  // Calls pass at once until the relay knows the breakpoint.
  const calls: Promise<unknown>[] = [];
  const stop = new AbortController();
  const stopped = editor.event('stopped').finally(() => stop.abort());
  while (!stop.signal.aborted) {
    calls.push(run('web'));
    await Promise.race([calls.at(-1), stopped]);
  }
  const served = runPodSandbox.mock.calls.length;
  const { threadId } = await stopped;
  expect(await editor.request('stackTrace', { threadId, levels: 1 })).toMatchObject({
    stackFrames: [{ name: 'RunPodSandbox' }],
  });
  await editor.request('continue', { threadId });
  await Promise.all(calls);
  expect(runPodSandbox).toHaveBeenCalledTimes(served + 1);
  await editor.leave();
  await vi.waitUntil(() => !node.debugger.state().attached, { timeout: 120_000 });
  expect(await run('after')).toEqual({ podSandboxId: 'sandbox-1' });
});
