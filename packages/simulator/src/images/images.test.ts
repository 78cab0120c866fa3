import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../random.ts';
import { Stage } from '../testing/stage.ts';
import { unknownImage } from './catalog.ts';
import { parseReference } from './reference.ts';
import type { RegistryOptions } from './registry.ts';

const pull = (stage: Stage, image: string, auth?: { username: string; password: string }) =>
  stage.driven.images.pullImage(stage.ctx, { image: { image }, auth });

/** A node that knows one registry only. */
const stageWith = ({ random, ...options }: Partial<RegistryOptions> & { readonly random?: Random }) =>
  new Stage({ registries: [{ host: '*', otherRepositories: unknownImage, ...options }], sandboxImage: 'pause:1', images: [], random });

describe('references', () => {
  it.each([
    ['busybox', { host: 'docker.io', path: 'library/busybox', familiarName: 'busybox', tag: undefined }],
    ['docker.io/library/nginx:1.27', { familiarName: 'nginx', tag: '1.27' }],
    ['org/app:v1', { host: 'docker.io', path: 'org/app', familiarName: 'org/app', tag: 'v1' }],
    ['localhost:5000/app', { host: 'localhost:5000', path: 'app', familiarName: 'localhost:5000/app', tag: undefined }],
    ['registry.k8s.io/e2e-test-images/agnhost:2.40', { host: 'registry.k8s.io', path: 'e2e-test-images/agnhost', tag: '2.40' }],
  ])('%s', (text, expected) => {
    expect(parseReference(text)).toMatchObject(expected);
  });

  it.each(['', 'Busybox', 'a b', 'busybox:', 'busybox:tag:tag', '-x', 'UPPER/x', 'a'.repeat(64)])('%j is none', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });
});

describe('a pull', () => {
  it('takes time by size, tells its progress, and leaves the image behind', async () => {
    const stage = new Stage();
    const before = stage.clock.now();
    const { imageRef } = await pull(stage, 'nginx:1.27');
    expect(stage.clock.now() - before).toBeGreaterThan(2000);
    expect(stage.clock.now() - before).toBeLessThan(6000);
    const { image } = await stage.driven.images.imageStatus(stage.ctx, { image: { image: 'nginx:1.27' } });
    expect(image).toMatchObject({ id: imageRef, repoTags: ['nginx:1.27'], size: expect.any(Number) });

    const progress = stage.log.after(0).filter((event) => event.type === 'pullProgress');
    expect(progress[0]?.layers.every(({ status }) => status === 'Waiting')).toBe(true);
    expect(progress.at(-1)?.layers.every(({ status }) => status === 'Pull complete')).toBe(true);
    expect(progress.some(({ layers }) => layers.some(({ status, current = 0, total = 0 }) => status === 'Downloading' && current > 0 && current < total))).toBe(
      true,
    );
    expect(progress.length).toBeLessThan(220);
  });

  it('fetches no layer twice', async () => {
    const stage = new Stage();
    await pull(stage, 'nginx:1.27');
    const seen = stage.log.lastSeq;
    await pull(stage, 'redis:7');
    const first = stage.log.after(seen).find((event) => event.type === 'pullProgress');
    expect(first?.layers[0]?.status).toBe('Already exists');
  });

  it.each([
    ['busybox:does-not-exist', 'Error response from daemon: manifest for busybox:does-not-exist not found: manifest unknown: manifest unknown'],
    [
      'ngnix:latest',
      "Error response from daemon: pull access denied for ngnix, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    ],
    ['registry.invalid/app:1', 'Error response from daemon: Get "https://registry.invalid/v2/": dial tcp: lookup registry.invalid: no such host'],
    ['private.registry.local/app:1', 'Error response from daemon: Head "https://private.registry.local/v2/app/manifests/1": no basic auth credentials'],
    ['Not A Name', 'couldn\'t parse image name "Not A Name": invalid reference format'],
  ])('of %s fails as an engine says it', async (image, message) => {
    const stage = new Stage();
    await expect(pull(stage, image)).rejects.toMatchObject({ name: 'CriError', message });
    expect((await stage.driven.images.imageStatus(stage.ctx, { image: { image } })).image).toBeUndefined();
  });

  it('from a private registry needs the right credentials', async () => {
    const stage = new Stage();
    const image = 'private.registry.local/team/app:1';
    await expect(pull(stage, image, { username: 'student', password: 'wrong' })).rejects.toThrow('unauthorized: authentication required');
    await expect(pull(stage, image, { username: 'student', password: 'secret' })).resolves.toMatchObject({ imageRef: expect.stringMatching(/^sha256:/) });
    const encoded = { auth: btoa('student:secret') };
    await expect(stage.driven.images.pullImage(stage.ctx, { image: { image }, auth: encoded })).resolves.toBeDefined();
  });

  it('is limited where the registry says so, until the period is over', async () => {
    const stage = stageWith({ rateLimit: { pulls: 1, period: 60_000 } });
    await pull(stage, 'one');
    await expect(pull(stage, 'two')).rejects.toThrow('toomanyrequests');
    await stage.clock.advance(60_000);
    await expect(pull(stage, 'two')).resolves.toBeDefined();
  });

  it('fails now and then from a flaky registry', async () => {
    const stage = stageWith({ flakiness: 0.5, resets: 0, latency: 1 });
    const outcomes = [];
    for (let i = 0; i < 20; i++) {
      outcomes.push(
        await pull(stage, `app:${i}`).then(
          () => 'pulled',
          (error: Error) => error.message,
        ),
      );
    }
    expect(new Set(outcomes)).toEqual(new Set(['pulled', 'RegistryUnavailable: received unexpected HTTP status: 503 Service Unavailable']));
  });

  it('that is cut off in the middle of a layer goes on from there, five seconds later each time', async () => {
    const stage = stageWith({ resets: 0.5, latency: 1, random: createRandom(6) });
    const before = stage.clock.now();
    await pull(stage, 'app');
    const progress = stage.log.after(0).filter((event) => event.type === 'pullProgress');
    const layers = progress.flatMap(({ layers: all }) => all);
    const waiting = layers.filter(({ status }) => status.startsWith('Retrying in'));
    expect(waiting[0]?.status).toBe('Retrying in 5 seconds');
    expect(waiting.map(({ status }) => status)).toContain('Retrying in 1 second');
    expect(stage.clock.now() - before).toBeGreaterThan(5_000);
    // What had come before the connection broke is not fetched again.
    const ofOne = layers.filter(({ id, status }) => id === waiting[0]?.id && status === 'Downloading').map(({ current = 0 }) => current);
    expect(ofOne).toEqual(ofOne.toSorted((a, b) => a - b));
    // Once a second is news enough.
    expect(progress.length).toBeLessThan(150);
  });

  it('that is cut off each time ends after five attempts, as an engine says it', async () => {
    const stage = stageWith({ resets: 1, latency: 1 });
    const before = stage.clock.now();
    await expect(pull(stage, 'app')).rejects.toMatchObject({
      name: 'CriError',
      message: expect.stringMatching(/^read tcp 192\.168\.49\.2:\d{5}->203\.0\.113\.\d+:443: read: connection reset by peer$/),
    });
    // 5 + 10 + 15 + 20 seconds between them.
    expect(stage.clock.now() - before).toBeGreaterThan(50_000);
    expect((await stage.driven.images.imageStatus(stage.ctx, { image: { image: 'app' } })).image).toBeUndefined();
  });

  it('is cut off by the seed: the same again, another way with another', async () => {
    const course = async (seed: number): Promise<string> => {
      const stage = stageWith({ resets: 0.7, latency: 1, random: createRandom(seed) });
      const outcome = await pull(stage, 'app').catch((error: Error) => error.message);
      return JSON.stringify([outcome, stage.clock.now(), stage.log.after(0)]);
    };
    const courses = await Promise.all([1, 2, 3, 4, 5, 6].map(course));
    expect(new Set(courses).size).toBe(6);
    expect(await course(3)).toBe(courses[2]);
  });

  it('from a slow registry takes its time without flooding the log', async () => {
    const stage = stageWith({ bytesPerSecond: 10_000 });
    const before = stage.clock.now();
    await pull(stage, 'slow');
    expect(stage.clock.now() - before).toBeGreaterThan(1_000_000);
    expect(stage.log.lastSeq).toBeLessThan(250);
  });

  it('ends with its caller', async () => {
    const stage = new Stage();
    const controller = new AbortController();
    stage.clock.schedule(1000, () => controller.abort(new Error('enough')));
    const pulling = stage.simulator.images.pullImage({ ...stage.ctx, signal: controller.signal }, { image: { image: 'mysql:8' } });
    await expect(stage.drive(pulling)).rejects.toThrow('enough');
    expect((await stage.driven.images.imageStatus(stage.ctx, { image: { image: 'mysql:8' } })).image).toBeUndefined();
  });
});

describe('an image', () => {
  it('has one id whatever it is called', async () => {
    const stage = new Stage();
    const status = async (image: string) => (await stage.driven.images.imageStatus(stage.ctx, { image: { image } })).image;
    const image = await status('busybox:1.36');
    expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    const digest = image?.repoDigests[0] ?? '';
    const names = ['docker.io/library/busybox:1.36', image?.id ?? '', image?.id.slice(7) ?? '', image?.id.slice(7, 19) ?? '', digest];
    for (const name of names) expect((await status(name))?.id).toBe(image?.id);
    expect(await status('busybox')).toBeUndefined();
  });

  it('in use is not removed', async () => {
    const stage = new Stage();
    await stage.start({ command: ['sleep', '60'] });
    await expect(stage.driven.images.removeImage(stage.ctx, { image: { image: 'busybox:1.36' } })).rejects.toThrow(/image is being used by container/);
    stage.simulator.removeImage('busybox:1.36');
    expect((await stage.driven.images.imageStatus(stage.ctx, { image: { image: 'busybox:1.36' } })).image).toBeUndefined();
  });

  it('tells its user', async () => {
    const stage = new Stage();
    const { image } = await stage.driven.images.imageStatus(stage.ctx, { image: { image: 'registry.k8s.io/pause:3.10' } });
    expect(image).toMatchObject({ uid: { value: 65_535 }, pinned: true });
  });

  it('that no registry has can not be made present', () => {
    expect(() => new Stage({ images: ['ngnix'] })).toThrow('image "ngnix" can\'t be made present: no simulated registry has it');
  });
});
