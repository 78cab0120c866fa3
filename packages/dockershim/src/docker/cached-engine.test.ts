import { expect, it } from 'vitest';
import { fakeShim } from '../testing/fake-shim.ts';
import { DockerError } from './error.ts';

it('asks the engine for version and info once a minute', async () => {
  const { runtime, ctx, docker, clock } = await fakeShim();
  for (let call = 0; call < 3; call += 1) {
    await runtime.runtime.version(ctx, {});
    await runtime.runtime.status(ctx, {});
  }
  // The answer of `info` has been cached since dockershim's creation, so only `version` is called.
  expect(docker.takeCalls()).toEqual(['version']);
  await clock.advance(60_000);
  await runtime.runtime.status(ctx, {});
  expect(docker.takeCalls()).toEqual(['version', 'info']);
});

it('reports an engine that another call found unreachable', async () => {
  const { runtime, ctx, docker } = await fakeShim();
  await runtime.runtime.version(ctx, {});
  docker.failNext('listContainers', new DockerError('Unavailable', 'no engine'));
  await expect(runtime.runtime.listContainers(ctx, {})).rejects.toThrow('no engine');
  docker.failNext('version', new DockerError('Unavailable', 'no engine'));
  const { status } = await runtime.runtime.status(ctx, {});
  expect(status.conditions[0]).toMatchObject({ type: 'RuntimeReady', status: false });
});

it("returns the engine's API version as runtimeApiVersion, which kubelets before 1.24 parse", async () => {
  const { runtime, ctx } = await fakeShim();
  expect(await runtime.runtime.version(ctx, {})).toMatchObject({ runtimeName: 'docker', runtimeApiVersion: '1.41.0' });
});
