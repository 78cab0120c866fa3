/** Tests `podscope dap` with a pod on Docker, started in the way in which an editor starts it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { expect, it } from 'vitest';
import { DapClient } from './testing/dap-client.ts';

const podscope = join(import.meta.dirname, '../main.ts');

/** Returns the number of containers, in any state, of pods with this name. No other test uses the name. */
async function leftOf(name: string): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`io.kubernetes.pod.name=${name}`] }));
  return ((await new DockerEngine().call('GET', `/containers/json?all=1&filters=${filters}`)) as readonly unknown[])
    .length;
}

it('stops a pod on Docker at an engine call, continues it, and removes its containers on disconnect', {
  timeout: 180_000,
}, async () => {
  const name = `dap-${randomUUID()}`;
  const directory = await mkdtemp(join(tmpdir(), 'podscope-dap-docker-'));
  const program = join(directory, 'pod.yaml');
  const container = { name: 'app', image: 'busybox:1.36', imagePullPolicy: 'Never', command: ['sleep', '3600'] };
  const spec = { terminationGracePeriodSeconds: 0, containers: [container] };
  await writeFile(program, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }));
  const editor = spawn(process.execPath, [podscope, 'dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(editor, 'exit');
  try {
    const client = new DapClient({ input: editor.stdin, output: editor.stdout });
    await client.begin('launch', { program, runtime: 'docker' }, () =>
      client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'docker.StartContainer container=app' }] }),
    );
    const { threadId } = await client.event('stopped');
    const { stackFrames } = await client.request<DebugProtocol.StackTraceResponse>('stackTrace', { threadId });
    expect(stackFrames.map((frame) => frame.name)).toEqual(
      expect.arrayContaining(['StartContainer', 'Start containers', 'kuberuntime SyncPod']),
    );
    expect(await leftOf(name)).toBe(2);
    await client.request('continue', { threadId });
    await client.event('output', ({ output }) => String(output).includes('container app 0 running'));
    await client.leave();
    expect(await exited).toEqual([0, null]);
    expect(await leftOf(name)).toBe(0);
  } finally {
    editor.kill();
    await rm(directory, { recursive: true, force: true });
  }
});
