/** Contract: images. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from './environment.ts';
import { criError, type Scene } from './scene.ts';

export function describeImages(scene: () => Scene, features: ContractFeatures): void {
  const status = async (image: string) => (await scene().images.imageStatus(scene().ctx(), { image: { image } })).image;

  describe('images', () => {
    it('that are present have a status', async () => {
      const image = await status(scene().environment.image);
      expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(image?.repoTags.some((tag) => tag.endsWith(scene().environment.image) || scene().environment.image.endsWith(tag))).toBe(true);
      expect(image?.size).toBeGreaterThan(0);
    });

    it('are the same by whatever reference: id, bare id, each tag, each digest', async () => {
      const byName = await status(scene().environment.image);
      const { id = '', repoTags = [], repoDigests = [] } = byName ?? {};
      for (const reference of [id, id.replace('sha256:', ''), ...repoTags, ...repoDigests]) expect(await status(reference)).toEqual(byName);
    });

    it('that are absent have none, without an error', async () => {
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
      const named = await scene().images.listImages(scene().ctx(), { filter: { image: { image: scene().environment.image } } });
      const all = await scene().images.listImages(scene().ctx(), {});
      const lists = (image: string | undefined): string[] =>
        all.images
          .map(({ id }) => id)
          .filter((id) => features.imageFilter === false || id === image)
          .toSorted();
      expect(named.images.map(({ id }) => id).toSorted()).toEqual(lists(byName?.id));
      const none = await scene().images.listImages(scene().ctx(), { filter: { image: { image: scene().environment.missingImage } } });
      expect(none.images.map(({ id }) => id).toSorted()).toEqual(lists(undefined));
    });

    it('that do not exist cannot be pulled', async () => {
      const pulling = scene().images.pullImage(scene().ctx(), { image: { image: scene().environment.missingImage } });
      await expect(pulling).rejects.toMatchObject({ name: 'CriError', message: expect.stringMatching(/./) });
      expect(await status(scene().environment.missingImage)).toBeUndefined();
    });

    it('whose name is none cannot be pulled', async () => {
      await expect(scene().images.pullImage(scene().ctx(), { image: { image: 'Not A Name' } })).rejects.toMatchObject(criError());
    });

    it('are gone once removed, and may be removed twice', async () => {
      const name = await scene().environment.disposableImage();
      const image = await status(name);
      expect(image).toBeDefined();
      await scene().images.removeImage(scene().ctx(), { image: { image: image?.id ?? '' } });
      expect(await status(name)).toBeUndefined();
      await scene().images.removeImage(scene().ctx(), { image: { image: image?.id ?? '' } });
    });

    it('may be removed by several at once, and are gone for each of them', async () => {
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

    it('stand on a file system that tells its use', async () => {
      const { imageFilesystems } = await scene().images.imageFsInfo(scene().ctx(), {});
      expect(imageFilesystems[0]?.fsId.mountpoint).toMatch(/^\//);
      expect(imageFilesystems[0]?.usedBytes?.value).toBeGreaterThan(0);
    });
  });
}
