import type { ContainerEventResponse } from '@podscope/cri';
import { withSignal } from '@podscope/trace';
import { expect, it } from 'vitest';
import { DockerError } from '../docker/error.ts';
import { fakeShim } from '../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';

it('emits events missed while the engine was away and warns once', async () => {
  const { runtime, ctx, docker, clock, log } = await fakeShim();
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  const { containerId } = await runtime.runtime.createContainer(ctx, containerRequest(podSandboxId));
  await runtime.runtime.startContainer(ctx, { containerId });
  const controller = new AbortController();
  const events: ContainerEventResponse[] = [];
  const listening = (async () => {
    for await (const event of runtime.runtime.getContainerEvents(withSignal(ctx, controller.signal), {}))
      events.push(event);
  })();
  // The event stream of the in-memory engine always breaks, so each round tests a lost connection.
  await clock.advance(1000);
  docker.exit(containerId, 3);
  docker.failNext('listContainers', new DockerError('Unavailable', 'gone'));
  docker.failNext('listContainers', new DockerError('Unavailable', 'gone'));
  await clock.advance(30_000);
  expect(events).toMatchObject([
    {
      containerId,
      containerEventType: 'CONTAINER_STOPPED_EVENT',
      podSandboxStatus: { id: podSandboxId },
      containersStatuses: [{ id: containerId, state: 'CONTAINER_EXITED', exitCode: 3 }],
    },
  ]);
  const gone = log.after(0).filter((event) => event.type === 'output' && event.message.endsWith('gone'));
  expect(gone.length).toBeLessThanOrEqual(1);
  controller.abort();
  await clock.advance(10_000);
  await listening;
});
