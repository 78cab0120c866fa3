import { describe, expect, it } from 'vitest';
import { DockerError, responseError } from '../docker/error.ts';
import { registryAuthHeader } from '../docker/registry-auth.ts';
import { fakeImageId } from '../testing/fake-docker.ts';
import { fakeShim } from '../testing/fake-shim.ts';

const spec = (image: string) => ({ image: { image } });

describe('images', () => {
  it('do not exist while the engine deletes them', async () => {
    const { runtime, docker, ctx } = await fakeShim();
    docker.failNext('inspectImage', responseError(500, 'layer does not exist'));
    expect(await runtime.images.imageStatus(ctx, spec('busybox:1.36'))).toEqual({});
    expect(await runtime.images.imageStatus(ctx, spec('busybox:1.36'))).toHaveProperty('image');
  });

  it('have no usage if the engine cannot measure it', async () => {
    const { runtime, docker, ctx } = await fakeShim();
    docker.failNext('diskUsage', responseError(500, 'no space left on device'));
    await expect(runtime.images.imageFsInfo(ctx, {})).rejects.toThrow('no space left on device');
  });

  it('have a usage, also if the engine measures for another client at first', async () => {
    const { runtime, docker, ctx, clock } = await fakeShim();
    const busy = responseError(500, 'a disk usage operation is already running');
    docker.failNext('diskUsage', busy);
    docker.failNext('diskUsage', busy);
    const answer = runtime.images.imageFsInfo(ctx, {});
    await clock.advance(1_000);
    expect((await answer).imageFilesystems[0]?.usedBytes).toEqual({ value: 1_000 });
  });

  it('are found by name, id, bare and abbreviated hex with the same id', async () => {
    const { runtime, ctx } = await fakeShim();
    const id = fakeImageId('busybox:1.36');
    for (const name of ['busybox:1.36', 'docker.io/library/busybox:1.36', id, id.slice(0, 19)]) {
      expect((await runtime.images.imageStatus(ctx, spec(name))).image).toEqual({
        id,
        repoTags: ['busybox:1.36'],
        repoDigests: [],
        size: 7,
        pinned: false,
        uid: { value: 1000 },
      });
    }
    for (const name of ['busybox:1', 'other', 'Not A Name', `sha256:${'0'.repeat(64)}`])
      expect(await runtime.images.imageStatus(ctx, spec(name))).toEqual({});
    expect((await runtime.images.listImages(ctx, {})).images.map(({ pinned }) => pinned)).toEqual([true, false]);
  });

  it('are removed with all their names; removing a missing one succeeds', async () => {
    const { runtime, ctx, docker } = await fakeShim();
    await runtime.images.removeImage(ctx, spec('busybox:1.36'));
    expect([...docker.images]).toEqual(['pause:1']);
    await runtime.images.removeImage(ctx, spec('busybox:1.36'));
  });

  it('keep all their names if a container uses them', async () => {
    const { runtime, ctx, docker } = await fakeShim();
    docker.plant('somebody-elses', { Image: 'busybox:1.36' }, 'exited');
    docker.takeCalls();
    const refusal = { code: 'FailedPrecondition', message: expect.stringContaining('is in use by container') };
    await expect(runtime.images.removeImage(ctx, spec('busybox:1.36'))).rejects.toMatchObject(refusal);
    expect(docker.takeCalls()).not.toContain('removeImage');
  });

  it.each([
    ['busybox', { fromImage: 'busybox', tag: 'latest' }],
    ['docker.io/library/busybox:1', { fromImage: 'busybox', tag: '1' }],
    ['127.0.0.1:5000/team/app:v1', { fromImage: '127.0.0.1:5000/team/app', tag: 'v1' }],
    [`busybox:1@sha256:${'a'.repeat(64)}`, { fromImage: 'busybox', tag: `sha256:${'a'.repeat(64)}` }],
  ])('are pulled by their short name: %s', async (image, args) => {
    const { runtime, ctx, docker } = await fakeShim();
    await runtime.images.pullImage(ctx, spec(image)).catch(() => undefined);
    expect(docker.calls.find(({ operation }) => operation === 'pullImage')?.args).toMatchObject(args);
  });

  it('emit the progress of a pull including its last state, without credentials', async () => {
    const { runtime, ctx, docker, log } = await fakeShim();
    docker.pullMessages = [
      { id: '1.36', status: 'Pulling from library/app' },
      { id: 'l1', status: 'Downloading', progressDetail: { current: 1, total: 10 } },
      { id: 'l1', status: 'Downloading', progressDetail: { current: 9, total: 10 } },
      { id: 'l1', status: 'Pull complete', progressDetail: {} },
      { status: 'Status: Downloaded newer image' },
    ];
    const { imageRef } = await runtime.images.pullImage(ctx, {
      ...spec('app:1'),
      auth: { username: 'me', password: 'hunter2' },
    });
    expect(imageRef).toBe(fakeImageId('app:1'));
    const reported = log.after(0).filter((event) => event.type === 'pullProgress');
    expect(reported.map(({ layers }) => layers)).toEqual([
      [{ id: 'l1', status: 'Downloading', current: 1, total: 10 }],
      [{ id: 'l1', status: 'Pull complete', current: 10, total: 10 }],
    ]);
    const text = JSON.stringify(log.after(0));
    expect(text).not.toContain('hunter2');
    expect(text).toContain('"X-Registry-Auth":"<redacted>"');
  });

  it('cancels a pull that makes no progress after its last message', async () => {
    const { runtime, ctx, docker, clock } = await fakeShim({ imagePullProgressDeadline: 1000 });
    docker.pullImage = (pullCtx, { onMessage }) => {
      pullCtx.clock.schedule(900, () => onMessage({ id: 'l1', status: 'Downloading' }));
      return new Promise((_, reject) =>
        pullCtx.signal.addEventListener('abort', () => reject(pullCtx.signal.reason as Error)),
      );
    };
    let failure: unknown;
    const pulling = runtime.images.pullImage(ctx, spec('app:1')).catch((error: unknown) => {
      failure = error;
    });
    await clock.advance(1899);
    expect(failure).toBeUndefined();
    await clock.advance(1);
    await pulling;
    expect(failure).toMatchObject({
      code: 'DeadlineExceeded',
      message: 'pull of "app:1" was cancelled: no progress for 1 s: context canceled',
    });
  });

  it("fail a pull with the engine's text", async () => {
    const { runtime, ctx, docker } = await fakeShim();
    docker.failNext(
      'pullImage',
      new DockerError('NotFound', 'Error response from daemon: manifest for app:1 not found: manifest unknown', 404),
    );
    await expect(runtime.images.pullImage(ctx, spec('app:1'))).rejects.toThrow(
      /^Error response from daemon: manifest for app:1 not found: manifest unknown$/,
    );
    await expect(runtime.images.pullImage(ctx, spec('A:b'))).rejects.toMatchObject({
      code: 'InvalidArgument',
      message: expect.stringContaining('lowercase'),
    });
  });
});

const decode = (header: string): unknown => JSON.parse(Buffer.from(header, 'base64url').toString());

describe('registry credentials', () => {
  it("are encoded as by Docker's client", () => {
    expect(registryAuthHeader()).toBe('e30K');
    expect(decode(registryAuthHeader({ username: 'a', password: 'b', serverAddress: 'r.io' }))).toEqual({
      username: 'a',
      password: 'b',
      serveraddress: 'r.io',
    });
    expect(decode(registryAuthHeader({ auth: Buffer.from('me:pa:ss').toString('base64') }))).toEqual({
      username: 'me',
      password: 'pa:ss',
    });
    expect(() => registryAuthHeader({ auth: 'bm9jb2xvbg==' })).toThrow('user:password');
  });
});
