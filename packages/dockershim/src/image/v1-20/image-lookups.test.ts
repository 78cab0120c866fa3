import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { responseError } from '../../docker/error.ts';
import type { DockerClient } from '../../docker/port.ts';
import { imageInspectSchema } from '../../docker/schemas.ts';
import { ImageNotFoundError, imageLookups } from './image-lookups.ts';

const ctx = background(new VirtualClock(), new Tracer());
const id = `sha256:${'a'.repeat(64)}`;
const digest = `sha256:${'b'.repeat(64)}`;
const image = imageInspectSchema.parse({
  Id: id,
  RepoTags: ['busybox:1.36', 'registry.local:5000/team/app:v1'],
  RepoDigests: [`busybox@${digest}`],
});

/** The engine returns its only image for every name. */
const lookups = imageLookups({ inspectImage: () => Promise.resolve(image) } as Partial<DockerClient> as DockerClient);
const empty = imageLookups({
  inspectImage: (_ctx, { ref }) => Promise.reject(responseError(404, 'no such image', { kind: 'image', id: ref })),
} as Partial<DockerClient> as DockerClient);

describe('a lookup by reference', () => {
  it.each([
    'busybox',
    'busybox:1.36',
    'docker.io/library/busybox:1.36',
    'registry.local:5000/team/app:v1',
    `busybox@${digest}`,
    `other@${id}`,
  ])('finds %s', async (ref) => {
    expect(await lookups.byRef(ctx, ref)).toBe(image);
  });

  it.each(['busybox:1.37', id, 'a'.repeat(64), `busybox@sha256:${'c'.repeat(64)}`, 'UPPER'])(
    "doesn't accept %s for the image that the engine returns",
    async (ref) => {
      await expect(lookups.byRef(ctx, ref)).rejects.toThrow(new ImageNotFoundError(ref));
    },
  );
});

describe('a lookup by id', () => {
  it.each([id, `anything@${id}`])('finds %s', async (ref) => {
    expect(await lookups.byID(ctx, ref)).toBe(image);
  });

  it.each(['busybox:1.36', 'a'.repeat(64), 'aaaa', `busybox@${digest}`])("doesn't find %s", async (ref) => {
    await expect(lookups.byID(ctx, ref)).rejects.toThrow(`no such image: "${ref}"`);
  });
});

it("throws upstream's error for a missing image", async () => {
  await expect(empty.byRef(ctx, 'busybox')).rejects.toThrow('no such image: "busybox"');
  await expect(empty.byID(ctx, id)).rejects.toThrow(ImageNotFoundError);
});
