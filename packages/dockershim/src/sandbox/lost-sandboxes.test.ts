/** Tests sandboxes of which only a checkpoint exists. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeShim } from '../testing/fake-shim.ts';
import { sandboxConfig } from '../testing/requests.ts';

/** Creates a sandbox and removes its container without dockershim. */
async function lostSandbox() {
  const shim = await fakeShim();
  const { runtime, ctx, docker, log, stateDirectory } = shim;
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  await docker.removeContainer(ctx, { id: podSandboxId, force: true });
  return {
    ...shim,
    podSandboxId,
    file: join(stateDirectory, 'sandbox', podSandboxId),
    checkpoints: () => readdir(join(stateDirectory, 'sandbox')),
    warnings: () =>
      log.after(0).flatMap((event) => (event.type === 'output' && event.level === 'warning' ? [event.message] : [])),
  };
}

it('lists a sandbox without a container from its checkpoint', async () => {
  const { runtime, ctx, podSandboxId, checkpoints, warnings } = await lostSandbox();
  const { items } = await runtime.runtime.listPodSandbox(ctx, {});
  expect(items).toMatchObject([
    { id: podSandboxId, state: 'SANDBOX_NOTREADY', metadata: { name: 'web', namespace: 'default' } },
  ]);
  await runtime.runtime.stopPodSandbox(ctx, { podSandboxId });
  await runtime.runtime.removePodSandbox(ctx, { podSandboxId });
  expect(await checkpoints()).toEqual([]);
  expect(warnings()).toEqual([]);
});

it.each([
  ['is no JSON', '{"version":"v1","na'],
  ['has another checksum', '{"version":"v1","name":"web","namespace":"default","data":{},"checksum":1}'],
])('warns about a sandbox whose checkpoint %s, and removes it', async (_, text) => {
  const { runtime, ctx, podSandboxId, file, checkpoints, warnings } = await lostSandbox();
  await writeFile(file, text);
  expect((await runtime.runtime.listPodSandbox(ctx, {})).items).toEqual([]);
  expect(warnings()).toEqual([`Checkpoint of sandbox ${podSandboxId} is removed: checkpoint is corrupted`]);
  expect(await checkpoints()).toEqual([]);
});

it('stops a sandbox with a corrupt checkpoint and warns about it', async () => {
  const { runtime, ctx, podSandboxId, file, checkpoints, warnings } = await lostSandbox();
  await writeFile(file, 'garbage');
  await runtime.runtime.stopPodSandbox(ctx, { podSandboxId });
  expect(warnings()).toEqual([`Checkpoint of sandbox ${podSandboxId} is removed: checkpoint is corrupted`]);
  expect(await checkpoints()).toEqual([]);
});
