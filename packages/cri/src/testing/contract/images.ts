/** Defines the CRI contract tests of images. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from '../environment.ts';
import { criError, type Scene } from '../scene.ts';

export function describeImages(scene: () => Scene, features: ContractFeatures): void {
  const status = async (image: string) => (await scene().images.imageStatus(scene().ctx(), { image: { image } })).image;

  describe('images', () => {
    it('have a status if they are present', async () => {
      const image = await status(scene().environment.image);
      expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(
        image?.repoTags.some(
          (tag) => tag.endsWith(scene().environment.image) || scene().environment.image.endsWith(tag),
        ),
      ).toBe(true);
      expect(image?.size).toBeGreaterThan(0);
    });

    it('have the same id by each digest', async () => {
      const { id, repoDigests = [] } = (await status(scene().environment.image)) ?? {};
      for (const digest of repoDigests) expect((await status(digest))?.id).toBe(id);
    });

    it('are the same by id, bare id, each tag and each digest', async () => {
      const byName = await status(await scene().environment.disposableImage());
      expect(byName).toBeDefined();
      const { id = '', repoTags = [], repoDigests = [] } = byName ?? {};
      for (const reference of [id, id.replace('sha256:', ''), ...repoTags, ...repoDigests])
        expect(await status(reference)).toEqual(byName);
    });

    it('have an empty response if they are absent', async () => {
      expect(await status(scene().environment.missingImage)).toBeUndefined();
      expect(await status(`sha256:${'0'.repeat(64)}`)).toBeUndefined();
    });

    it('are listed', async () => {
      const byName = await status(scene().environment.image);
      const { images } = await scene().images.listImages(scene().ctx(), {});
      expect(images.map(({ id }) => id)).toContain(byName?.id);
    });

    it('are listed by name', async () => {
      const byName = await status(scene().environment.image);
      const named = await scene().images.listImages(scene().ctx(), {
        filter: { image: { image: scene().environment.image } },
      });
      const all = await scene().images.listImages(scene().ctx(), {});
      const lists = (image: string | undefined): string[] =>
        all.images
          .map(({ id }) => id)
          .filter((id) => features.imageFilter === false || id === image)
          .toSorted();
      expect(named.images.map(({ id }) => id).toSorted()).toEqual(lists(byName?.id));
      const none = await scene().images.listImages(scene().ctx(), {
        filter: { image: { image: scene().environment.missingImage } },
      });
      expect(none.images.map(({ id }) => id).toSorted()).toEqual(lists(undefined));
    });

    it("fail the pull if they don't exist", async () => {
      const pulling = scene().images.pullImage(scene().ctx(), { image: { image: scene().environment.missingImage } });
      await expect(pulling).rejects.toMatchObject({ name: 'CriError', message: expect.stringMatching(/./) });
      expect(await status(scene().environment.missingImage)).toBeUndefined();
    });

    it('fail the pull with an invalid name', async () => {
      await expect(scene().images.pullImage(scene().ctx(), { image: { image: 'Not A Name' } })).rejects.toMatchObject(
        criError(),
      );
    });

    it("don't exist after their removal, and may be removed twice", async () => {
      const name = await scene().environment.disposableImage();
      const image = await status(name);
      expect(image).toBeDefined();
      await scene().images.removeImage(scene().ctx(), { image: { image: image?.id ?? '' } });
      expect(await status(name)).toBeUndefined();
      await scene().images.removeImage(scene().ctx(), { image: { image: image?.id ?? '' } });
    });

    it('may be removed by several callers at once', async () => {
      const name = await scene().environment.disposableImage();
      const image = (await status(name))?.id ?? '';
      const left = await Promise.all(
        [1, 2, 3, 4, 5].map(async () => {
          await scene().images.removeImage(scene().ctx(), { image: { image } });
          return status(image);
        }),
      );
      expect(left).toEqual([undefined, undefined, undefined, undefined, undefined]);
    });

    it('are on a file system with a usage', async () => {
      const { imageFilesystems } = await scene().images.imageFsInfo(scene().ctx(), {});
      expect(imageFilesystems[0]?.fsId.mountpoint).toMatch(/^\//);
      expect(imageFilesystems[0]?.usedBytes?.value).toBeGreaterThan(0);
    });
  });
}
