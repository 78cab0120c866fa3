import { createRandom, type Random } from '@podscope/base';
import { describe, expect, it } from 'vitest';
import { TestRuntime } from '../testing/test-runtime.ts';
import { unknownImage } from './catalog.ts';
import type { RegistryOptions } from './registry.ts';

const pull = (test: TestRuntime, image: string, auth?: { username: string; password: string }) =>
  test.driven.images.pullImage(test.ctx, { image: { image }, auth });

/** Creates a node that has only one registry. */
const stageWith = ({ random, ...options }: Partial<RegistryOptions> & { readonly random?: Random }) =>
  new TestRuntime({
    registries: [{ host: '*', otherRepositories: unknownImage, ...options }],
    sandboxImage: 'pause:1',
    images: [],
    random,
  });

describe('an image pull', () => {
  it('takes time by size, emits its progress and stores the image', async () => {
    const test = new TestRuntime();
    const before = test.clock.now();
    const { imageRef } = await pull(test, 'nginx:1.27');
    expect(test.clock.now() - before).toBeGreaterThan(2000);
    expect(test.clock.now() - before).toBeLessThan(6000);
    const { image } = await test.driven.images.imageStatus(test.ctx, { image: { image: 'nginx:1.27' } });
    expect(image).toMatchObject({ id: imageRef, repoTags: ['nginx:1.27'], size: expect.any(Number) });

    const progress = test.log.after(0).filter((event) => event.type === 'pullProgress');
    expect(progress[0]?.layers.every(({ status }) => status === 'Waiting')).toBe(true);
    expect(progress.at(-1)?.layers.every(({ status }) => status === 'Pull complete')).toBe(true);
    expect(
      progress.some(({ layers }) =>
        layers.some(({ status, current = 0, total = 0 }) => status === 'Downloading' && current > 0 && current < total),
      ),
    ).toBe(true);
    expect(progress.length).toBeLessThan(220);
  });

  it.each([
    ['v1.36', /^sha256:[0-9a-f]{64}$/, /^sha256:[0-9a-f]{64}$/],
    ['v1.20', /^busybox@sha256:[0-9a-f]{64}$/, /^docker-pullable:\/\/busybox@sha256:[0-9a-f]{64}$/],
  ] as const)('in %s returns %s, and the container status contains %s', async (release, pulled, reported) => {
    const test = new TestRuntime({ release });
    const { imageRef } = await pull(test, 'busybox:1.36');
    expect(imageRef).toMatch(pulled);
    const id = await test.create({ image: { image: imageRef } });
    expect((await test.status(id)).imageRef).toMatch(reported);
    const { containers } = await test.driven.runtime.listContainers(test.ctx, {});
    expect(containers.map(({ imageRef: listed }) => listed)).toEqual([expect.stringMatching(/^sha256:/)]);
  });

  it('fetches a layer that two images share only once', async () => {
    const test = new TestRuntime();
    await pull(test, 'nginx:1.27');
    const seen = test.log.lastSeq;
    await pull(test, 'redis:7');
    const first = test.log.after(seen).find((event) => event.type === 'pullProgress');
    expect(first?.layers[0]?.status).toBe('Already exists');
  });

  it.each([
    [
      'busybox:does-not-exist',
      'Error response from daemon: manifest for busybox:does-not-exist not found: manifest unknown: manifest unknown',
    ],
    [
      'ngnix:latest',
      'Error response from daemon: pull access denied for ngnix, repository does not exist or may require ' +
        "'docker login': denied: requested access to the resource is denied",
    ],
    [
      'registry.invalid/app:1',
      'Error response from daemon: Get "https://registry.invalid/v2/": dial tcp: lookup registry.invalid: no such host',
    ],
    [
      'private.registry.local/app:1',
      'Error response from daemon: Head "https://private.registry.local/v2/app/manifests/1": no basic auth credentials',
    ],
    ['Not A Name', 'couldn\'t parse image name "Not A Name": invalid reference format'],
  ])('of %s fails with the message of the engine', async (image, message) => {
    const test = new TestRuntime();
    await expect(pull(test, image)).rejects.toMatchObject({ name: 'CriError', message });
    expect((await test.driven.images.imageStatus(test.ctx, { image: { image } })).image).toBeUndefined();
  });

  it('from a private registry succeeds only with the right credentials', async () => {
    const test = new TestRuntime();
    const image = 'private.registry.local/team/app:1';
    await expect(pull(test, image, { username: 'student', password: 'wrong' })).rejects.toThrow(
      'unauthorized: authentication required',
    );
    await expect(pull(test, image, { username: 'student', password: 'secret' })).resolves.toMatchObject({
      imageRef: expect.stringMatching(/^sha256:/),
    });
    const encoded = { auth: btoa('student:secret') };
    await expect(test.driven.images.pullImage(test.ctx, { image: { image }, auth: encoded })).resolves.toBeDefined();
  });

  it('fails with toomanyrequests beyond the rate limit until the period is over', async () => {
    const test = stageWith({ rateLimit: { pulls: 1, period: 60_000 } });
    await pull(test, 'one');
    await expect(pull(test, 'two')).rejects.toThrow('toomanyrequests');
    await test.clock.advance(60_000);
    await expect(pull(test, 'two')).resolves.toBeDefined();
  });

  it('from a flaky registry fails for some images with status 503', async () => {
    const test = stageWith({ flakiness: 0.5, resets: 0, latency: 1 });
    const outcomes = [];
    for (let i = 0; i < 20; i++) {
      outcomes.push(
        await pull(test, `app:${i}`).then(
          () => 'pulled',
          (error: Error) => error.message,
        ),
      );
    }
    expect(new Set(outcomes)).toEqual(
      new Set(['pulled', 'RegistryUnavailable: received unexpected HTTP status: 503 Service Unavailable']),
    );
  });

  it('continues a layer where the connection was reset, after a wait of five seconds', async () => {
    const test = stageWith({ resets: 0.5, latency: 1, random: createRandom(6) });
    const before = test.clock.now();
    await pull(test, 'app');
    const progress = test.log.after(0).filter((event) => event.type === 'pullProgress');
    const layers = progress.flatMap(({ layers: all }) => all);
    const waiting = layers.filter(({ status }) => status.startsWith('Retrying in'));
    expect(waiting[0]?.status).toBe('Retrying in 5 seconds');
    expect(waiting.map(({ status }) => status)).toContain('Retrying in 1 second');
    expect(test.clock.now() - before).toBeGreaterThan(5_000);
    // After the connection broke, the data that had arrived isn't downloaded again.
    const ofOne = layers
      .filter(({ id, status }) => id === waiting[0]?.id && status === 'Downloading')
      .map(({ current = 0 }) => current);
    expect(ofOne).toEqual(ofOne.toSorted((a, b) => a - b));
    // The text of a waiting layer changes once per second, so the pull emits few events.
    expect(progress.length).toBeLessThan(150);
  });

  it('fails with the reset error after five attempts', async () => {
    const test = stageWith({ resets: 1, latency: 1 });
    const before = test.clock.now();
    await expect(pull(test, 'app')).rejects.toMatchObject({
      name: 'CriError',
      message: expect.stringMatching(
        /^read tcp 192\.168\.49\.2:\d{5}->203\.0\.113\.\d+:443: read: connection reset by peer$/,
      ),
    });
    // The pauses between the five attempts are 5 + 10 + 15 + 20 seconds.
    expect(test.clock.now() - before).toBeGreaterThan(50_000);
    expect((await test.driven.images.imageStatus(test.ctx, { image: { image: 'app' } })).image).toBeUndefined();
  });

  it('has the same resets for the same seed and other resets for another seed', async () => {
    const course = async (seed: number): Promise<string> => {
      const test = stageWith({ resets: 0.7, latency: 1, random: createRandom(seed) });
      const outcome = await pull(test, 'app').catch((error: Error) => error.message);
      return JSON.stringify([outcome, test.clock.now(), test.log.after(0)]);
    };
    const courses = await Promise.all([1, 2, 3, 4, 5, 6].map(course));
    expect(new Set(courses).size).toBe(6);
    expect(await course(3)).toBe(courses[2]);
  });

  it('from a slow registry takes over 1000 s and emits fewer than 250 events', async () => {
    const test = stageWith({ bytesPerSecond: 10_000 });
    const before = test.clock.now();
    await pull(test, 'slow');
    expect(test.clock.now() - before).toBeGreaterThan(1_000_000);
    expect(test.log.lastSeq).toBeLessThan(250);
  });

  it('fails without an image when its caller aborts', async () => {
    const test = new TestRuntime();
    const controller = new AbortController();
    test.clock.schedule(1000, () => controller.abort(new Error('enough')));
    const pulling = test.simulator.images.pullImage(
      { ...test.ctx, signal: controller.signal },
      { image: { image: 'mysql:8' } },
    );
    await expect(test.drive(pulling)).rejects.toThrow('enough');
    expect((await test.driven.images.imageStatus(test.ctx, { image: { image: 'mysql:8' } })).image).toBeUndefined();
  });
});

describe('a local image', () => {
  it('has the same id under its name, digest and short id', async () => {
    const test = new TestRuntime();
    const status = async (image: string) =>
      (await test.driven.images.imageStatus(test.ctx, { image: { image } })).image;
    const image = await status('busybox:1.36');
    expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    const digest = image?.repoDigests[0] ?? '';
    const names = [
      'docker.io/library/busybox:1.36',
      image?.id ?? '',
      image?.id.slice(7) ?? '',
      image?.id.slice(7, 19) ?? '',
      digest,
    ];
    for (const name of names) expect((await status(name))?.id).toBe(image?.id);
    expect(await status('busybox')).toBeUndefined();
  });

  it('in use by a container is not removed by RemoveImage', async () => {
    const test = new TestRuntime();
    await test.start({ command: ['sleep', '60'] });
    await expect(test.driven.images.removeImage(test.ctx, { image: { image: 'busybox:1.36' } })).rejects.toThrow(
      /image is being used by container/,
    );
    test.simulator.removeImage('busybox:1.36');
    expect(
      (await test.driven.images.imageStatus(test.ctx, { image: { image: 'busybox:1.36' } })).image,
    ).toBeUndefined();
  });

  it('mounted by a container as a volume is not removed by RemoveImage', async () => {
    const test = new TestRuntime();
    const image = { image: (await pull(test, 'nginx:1.27')).imageRef };
    await test.create({ mounts: [{ containerPath: '/files', readonly: true, image }] });
    await expect(test.driven.images.removeImage(test.ctx, { image })).rejects.toThrow(
      /in use as a volume of container/,
    );
  });

  it('has its user and the pinned flag in its status', async () => {
    const test = new TestRuntime();
    const { image } = await test.driven.images.imageStatus(test.ctx, {
      image: { image: 'registry.k8s.io/pause:3.10' },
    });
    expect(image).toMatchObject({ uid: { value: 65_535 }, pinned: true });
  });

  it('can’t be added when no registry has it', () => {
    expect(() => new TestRuntime({ images: ['ngnix'] })).toThrow(
      'image "ngnix" can\'t be added: no simulated registry has it',
    );
  });
});
