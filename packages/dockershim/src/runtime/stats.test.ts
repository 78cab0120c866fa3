import { expect, it } from 'vitest';
import * as schemas from '../docker/schemas.ts';
import { fakeShim } from '../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';

it('sums the processes of the sandbox and its running containers', async () => {
  const { runtime, ctx, docker } = await fakeShim();
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  for (const name of ['a', 'b', 'ended']) {
    const { containerId } = await runtime.runtime.createContainer(
      ctx,
      containerRequest(podSandboxId, { metadata: { name, attempt: 0 } }),
    );
    await runtime.runtime.startContainer(ctx, { containerId });
    if (name === 'ended') docker.exit(containerId, 0);
  }
  docker.containerStats = (_, { id }) =>
    Promise.resolve(
      schemas.statsSchema.parse({
        cpu_stats: { cpu_usage: {} },
        memory_stats: {},
        pids_stats: { current: id === podSandboxId ? 1 : 5 },
      }),
    );
  const { stats } = await runtime.runtime.podSandboxStats(ctx, { podSandboxId });
  expect(stats.linux?.containers).toHaveLength(3);
  expect(stats.linux?.process?.processCount).toEqual({ value: 11 });
});

it('reports the CPU rate of a pod although containers were listed since its last sample', async () => {
  const { runtime, ctx, clock } = await fakeShim();
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  await runtime.runtime.podSandboxStats(ctx, { podSandboxId });
  await runtime.runtime.listContainerStats(ctx, {});
  await clock.advance(1000);
  const { stats } = await runtime.runtime.podSandboxStats(ctx, { podSandboxId });
  expect(stats.linux?.cpu?.usageNanoCores).toEqual({ value: 0 });
});
