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

it('delays the CREATED event that the engine sends before it answers the create request', async () => {
  const { runtime, ctx, docker } = await fakeShim();
  const created = Promise.withResolvers<{ readonly id: string; readonly name: string }>();
  const isReported = Promise.withResolvers<void>();
  const create = docker.createContainer.bind(docker);
  docker.createContainer = async (inner, args) => {
    const answer = await create(inner, args);
    if (!args.name.startsWith('k8s_POD_')) return answer;
    created.resolve({ id: answer.Id, name: args.name });
    await isReported.promise;
    return answer;
  };
  docker.events = async function* (): AsyncGenerator<DockerEvent> {
    const { id: ID, name } = await created.promise;
    yield { Type: 'container', Action: 'create', Actor: { ID, Attributes: { name } }, time: 0, timeNano: 1.9e18 };
    isReported.resolve();
    await new Promise(() => undefined);
  };
  const controller = new AbortController();
  const events = runtime.runtime.getContainerEvents(withSignal(ctx, controller.signal), {});
  const first = events[Symbol.asyncIterator]().next();
  const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  expect((await first).value).toMatchObject({
    containerEventType: 'CONTAINER_CREATED_EVENT',
    podSandboxStatus: { id: podSandboxId, state: 'SANDBOX_READY', network: { ip: '172.17.0.2' } },
  });
  controller.abort();
});
