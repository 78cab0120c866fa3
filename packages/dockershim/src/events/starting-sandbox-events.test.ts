import type { ContainerEventResponse } from '@podscope/cri';
import { withSignal } from '@podscope/trace';
import { expect, it } from 'vitest';
import type { DockerEvent } from '../docker/schemas.ts';
import { type NetworkPlugin, noopNetworkPlugin } from '../network/plugin.ts';
import { fakeShim } from '../testing/fake-shim.ts';
import { sandboxConfig } from '../testing/requests.ts';

it("carries the sandbox's final state and IP in its CREATED and STARTED events", async () => {
  const setUp = Promise.withResolvers<void>();
  const isSettingUp = Promise.withResolvers<string>();
  const plugin: NetworkPlugin = {
    ...noopNetworkPlugin,
    setUpPod: (_ctx, { sandboxId }) => {
      isSettingUp.resolve(sandboxId);
      return setUp.promise;
    },
  };
  const { runtime, ctx, docker } = await fakeShim({}, plugin);
  docker.events = async function* (): AsyncGenerator<DockerEvent> {
    const id = await isSettingUp.promise;
    for (const Action of ['create', 'start'])
      yield {
        Type: 'container',
        Action,
        Actor: { ID: id, Attributes: {} },
        time: 0,
        timeNano: 1_900_000_000_000_000_000,
      };
    setUp.resolve();
    await new Promise(() => undefined);
  };
  const controller = new AbortController();
  const events = runtime.runtime.getContainerEvents(withSignal(ctx, controller.signal), {});
  const stream: AsyncIterator<ContainerEventResponse> = events[Symbol.asyncIterator]();
  const first = stream.next();
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  const received = [(await first).value, (await stream.next()).value];
  const podSandboxStatus = { id: podSandboxId, state: 'SANDBOX_READY', network: { ip: '172.17.0.2' } };
  expect(received).toMatchObject([
    { containerEventType: 'CONTAINER_CREATED_EVENT', containerId: podSandboxId, podSandboxStatus },
    { containerEventType: 'CONTAINER_STARTED_EVENT', containerId: podSandboxId, podSandboxStatus },
  ]);
  controller.abort();
});
