import type { ContainerEventResponse } from '@podscope/cri';
import { sleep, withSignal } from '@podscope/trace';
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

it('emits further events to a listener that was busy while the connection broke', async () => {
  const { runtime, ctx, docker, clock } = await fakeShim();
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  const { containerId } = await runtime.runtime.createContainer(ctx, containerRequest(podSandboxId));
  const controller = new AbortController();
  const types: string[] = [];
  const listening = (async () => {
    for await (const { containerEventType } of runtime.runtime.getContainerEvents(
      withSignal(ctx, controller.signal),
      {},
    )) {
      types.push(containerEventType);
      // Meanwhile Node would report a rejection that the generator doesn't handle yet, which ends a server.
      await sleep(clock, 10_000);
    }
  })();
  await clock.advance(1000);
  await runtime.runtime.startContainer(ctx, { containerId });
  await clock.advance(10_000);
  docker.exit(containerId, 3);
  await clock.advance(30_000);
  expect(types).toEqual(['CONTAINER_STARTED_EVENT', 'CONTAINER_STOPPED_EVENT']);
  controller.abort();
  await clock.advance(20_000);
  await listening;
});
