import type { ContainerStatus } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import { responseError } from '../docker/error.ts';
import type * as schemas from '../docker/schemas.ts';
import { type FakeShim, fakeShim } from '../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';

const zero = '0001-01-01T00:00:00Z';
const created = 1_767_225_600_000_000_001n;

async function container(): Promise<FakeShim & { containerId: string }> {
  const shim = await fakeShim();
  const { podSandboxId } = await shim.runtime.runtime.runPodSandbox(shim.ctx, { config: sandboxConfig() });
  const { containerId } = await shim.runtime.runtime.createContainer(shim.ctx, containerRequest(podSandboxId));
  return { ...shim, containerId };
}

describe('ContainerStatus', () => {
  it.each<[string, Partial<schemas.ContainerInspect['State']>, Partial<ContainerStatus>]>([
    [
      'running',
      { Running: true, StartedAt: '2026-01-01T00:00:01Z', Error: 'old' },
      { state: 'CONTAINER_RUNNING', reason: '', message: '', finishedAt: 0n },
    ],
    [
      'OOM',
      { FinishedAt: '2026-01-01T00:00:02Z', OOMKilled: true, ExitCode: 0 },
      { state: 'CONTAINER_EXITED', reason: 'OOMKilled', exitCode: 0 },
    ],
    [
      'completed',
      { FinishedAt: '2026-01-01T00:00:02Z' },
      { state: 'CONTAINER_EXITED', reason: 'Completed', finishedAt: 1_767_225_602_000_000_000n },
    ],
    [
      'failed',
      { FinishedAt: '2026-01-01T00:00:02Z', ExitCode: 3 },
      { state: 'CONTAINER_EXITED', reason: 'Error', exitCode: 3 },
    ],
    [
      'not to be started',
      { ExitCode: 127, Error: 'no such file' },
      {
        state: 'CONTAINER_EXITED',
        reason: 'ContainerCannotRun',
        message: 'no such file',
        startedAt: created,
        finishedAt: created,
      },
    ],
    ['created', {}, { state: 'CONTAINER_CREATED', reason: '', startedAt: 0n, finishedAt: 0n }],
  ])('%s', async (_, state, expected) => {
    const { runtime, ctx, docker, containerId } = await container();
    const inspect = docker.inspectContainer.bind(docker);
    docker.inspectContainer = async (inner, args) => {
      const answer = await inspect(inner, args);
      return {
        ...answer,
        State: { ...answer.State, Running: false, StartedAt: zero, FinishedAt: zero, ExitCode: 0, ...state },
      };
    };
    expect((await runtime.runtime.containerStatus(ctx, { containerId })).status).toMatchObject(expected);
  });

  it('returns image, labels, log path and mounts with their propagation', async () => {
    const { runtime, ctx, docker, containerId } = await container();
    const inspect = docker.inspectContainer.bind(docker);
    docker.inspectContainer = async (inner, args) => ({
      ...(await inspect(inner, args)),
      Mounts: [
        { Type: 'bind', Source: '/a', Destination: '/b', RW: false, Propagation: 'rslave' },
        { Type: 'bind', Source: '/c', Destination: '/d', RW: true, Propagation: 'rshared' },
        { Type: 'volume', Source: '/v', Destination: '/v', RW: true, Propagation: '' },
      ],
    });
    const { status } = await runtime.runtime.containerStatus(ctx, { containerId });
    expect(status).toMatchObject({
      image: { image: 'busybox:1.36' },
      labels: { 'io.kubernetes.container.name': 'app' },
      logPath: '/var/log/pods/web/app/0.log',
      mounts: [
        { hostPath: '/a', containerPath: '/b', readonly: true, propagation: 'PROPAGATION_HOST_TO_CONTAINER' },
        { hostPath: '/c', containerPath: '/d', readonly: false, propagation: 'PROPAGATION_BIDIRECTIONAL' },
      ],
    });
    expect(status.imageRef).toBe(status.imageId);
  });

  it('returns the image of a mount made by Docker 28', async () => {
    const { runtime, ctx, docker, containerId } = await container();
    const inspect = docker.inspectContainer.bind(docker);
    const image = `sha256:${'a'.repeat(64)}`;
    docker.inspectContainer = async (inner, args) => {
      const answer = await inspect(inner, args);
      const Mounts = [{ Source: image, Target: '/img', ImageOptions: { Subpath: 'etc' } }];
      const Source = '/var/lib/docker/rootfs/overlayfs/0123/etc';
      return {
        ...answer,
        HostConfig: { ...answer.HostConfig, Mounts },
        Mounts: [{ Type: 'image', Source, Destination: '/img', RW: false, Propagation: '' }],
      };
    };
    expect((await runtime.runtime.containerStatus(ctx, { containerId })).status.mounts).toEqual([
      {
        hostPath: '',
        containerPath: '/img',
        readonly: true,
        propagation: 'PROPAGATION_PRIVATE',
        image: { image, imageRef: image },
        imageSubPath: 'etc',
      },
    ]);
  });

  it('returns the metadata of the request even if the Docker name is ambiguous', async () => {
    const { runtime, ctx } = await fakeShim();
    const metadata = { name: 'my_pod', namespace: 'my_ns', uid: 'u_1', attempt: 2 };
    const config = { ...sandboxConfig(), metadata };
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config });
    const { containerId } = await runtime.runtime.createContainer(ctx, {
      ...containerRequest(podSandboxId),
      sandboxConfig: config,
    });
    const app = { name: 'app', attempt: 0 };
    expect((await runtime.runtime.podSandboxStatus(ctx, { podSandboxId })).status).toMatchObject({ metadata });
    expect((await runtime.runtime.listPodSandbox(ctx, {})).items).toMatchObject([{ metadata }]);
    expect((await runtime.runtime.containerStatus(ctx, { containerId })).status).toMatchObject({ metadata: app });
    expect((await runtime.runtime.listContainers(ctx, {})).containers).toMatchObject([{ metadata: app }]);
    await runtime.runtime.stopPodSandbox(ctx, { podSandboxId });
  });
});

describe('StartContainer', () => {
  it('inspects a new container only after the start, and rejects one that ran', async () => {
    const { runtime, ctx, docker, containerId } = await container();
    docker.takeCalls();
    await runtime.runtime.startContainer(ctx, { containerId });
    expect(docker.takeCalls()).toEqual(['startContainer', 'inspectContainer']);
    await expect(runtime.runtime.startContainer(ctx, { containerId })).rejects.toMatchObject({
      code: 'FailedPrecondition',
    });
    docker.exit(containerId, 0);
    const refusal = {
      code: 'FailedPrecondition',
      message: `container "${containerId}" is in state CONTAINER_EXITED: only a created one can be started`,
    };
    await expect(runtime.runtime.startContainer(ctx, { containerId })).rejects.toMatchObject(refusal);
    expect(docker.takeCalls()).toEqual(['inspectContainer', 'inspectContainer']);
  });

  it('returns after the engine has handled the exit of a container that ends at once', async () => {
    const { runtime, ctx, docker, containerId } = await container();
    const inspect = docker.inspectContainer.bind(docker);
    // The engine's inspect call waits for the container's lock. The engine holds that lock while it handles an exit.
    docker.inspectContainer = (inner, args) => {
      docker.exit(containerId, 1);
      return inspect(inner, args);
    };
    await runtime.runtime.startContainer(ctx, { containerId });
    // A kubelet lists containers before it reads their status. If the list still had RUNNING and the status EXITED, the
    // kubelet would handle the same exit twice.
    const { containers } = await runtime.runtime.listContainers(ctx, {});
    expect(containers).toMatchObject([{ id: containerId, state: 'CONTAINER_EXITED' }]);
  });

  it('succeeds although the engine no longer knows a container that it started', async () => {
    const { runtime, ctx, docker, containerId } = await container();
    docker.failNext('inspectContainer', responseError(404, 'gone'));
    await expect(runtime.runtime.startContainer(ctx, { containerId })).resolves.toEqual({});
  });

  it.each([
    'exec: "foo": executable file not found in $PATH: unknown',
    String.raw`exec: \\\"foo\\\": executable file not found in $PATH`,
  ])('shortens the error for a missing executable: %s', async (text) => {
    const { runtime, ctx, docker, containerId } = await container();
    docker.failNext('startContainer', responseError(400, text));
    await expect(runtime.runtime.startContainer(ctx, { containerId })).rejects.toThrow(
      `failed to start container "${containerId}": executable not found in $PATH`,
    );
  });
});
