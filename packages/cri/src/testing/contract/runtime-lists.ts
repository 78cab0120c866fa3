/** Defines the CRI contract tests of streaming lists and of RPCs that a runtime may lack. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from '../environment.ts';
import { criError, refusalOf, type Scene } from '../scene.ts';

const unknownId = '0123456789abcdef'.repeat(4);

/** Returns the items of all messages of a stream. */
async function gather<Response, Item>(
  stream: AsyncIterable<Response>,
  items: (response: Response) => readonly Item[],
): Promise<Item[]> {
  const all: Item[] = [];
  for await (const response of stream) all.push(...items(response));
  return all;
}

export function describeRuntimeLists(scene: () => Scene, features: ContractFeatures): void {
  describe('lists as streams', () => {
    const streamed = async () => {
      const { runtime, images } = scene();
      const ctx = scene().ctx();
      const group = crypto.randomUUID();
      const sandbox = await scene().sandbox({ labels: { group } });
      const id = await scene().start(sandbox, 'sleep 3600', { labels: { group } });
      const filter = { labelSelector: { group } };
      return {
        expected: [[sandbox.id], [id], [id], [sandbox.id]],
        given: await Promise.all([
          gather(runtime.streamPodSandboxes(ctx, { filter }), ({ podSandboxes }) =>
            podSandboxes.map((each) => each.id),
          ),
          gather(runtime.streamContainers(ctx, { filter }), ({ containers }) => containers.map((each) => each.id)),
          gather(runtime.streamContainerStats(ctx, { filter }), ({ containerStats }) =>
            containerStats.map(({ attributes }) => attributes.id),
          ),
          gather(runtime.streamPodSandboxStats(ctx, { filter }), ({ podSandboxStats }) =>
            podSandboxStats.map(({ attributes }) => attributes.id),
          ),
        ]),
        images: await gather(images.streamImages(ctx, {}), (response) => response.images),
        nothing: await gather(
          runtime.streamPodSandboxes(ctx, { filter: { id: 'non-existent-id' } }),
          ({ podSandboxes }) => podSandboxes,
        ),
      };
    };

    const declare = features.streamingLists === false ? describeNone : describeAll;
    declare();

    function describeNone(): void {
      it('are Unimplemented', async () => {
        await expect(streamed()).rejects.toMatchObject(criError('Unimplemented'));
      });
    }

    function describeAll(): void {
      it('return the same items as the lists', async () => {
        const name = await scene().environment.disposableImage();
        const { given, expected, images, nothing } = await streamed();
        expect(given).toEqual(expected);
        const { image } = await scene().images.imageStatus(scene().ctx(), { image: { image: name } });
        expect(image).toBeDefined();
        expect(images.find(({ id }) => id === image?.id)?.repoTags).toEqual(image?.repoTags);
        expect(nothing).toEqual([]);
      });
    }
  });

  describe('optional RPCs', () => {
    it('include UpdatePodSandboxResources', async () => {
      const { id } = await scene().pod();
      const update = (podSandboxId: string) =>
        refusalOf(
          scene().runtime.updatePodSandboxResources(scene().ctx(), { podSandboxId, resources: { cpuShares: 512 } }),
        );
      const isThere = features.sandboxResources !== false;
      expect([await update(id), await update(unknownId)]).toEqual(
        isThere ? [undefined, 'NotFound'] : ['Unimplemented', 'Unimplemented'],
      );
    });

    it('include CheckpointContainer', async () => {
      const containerId = await scene().start(await scene().pod(), 'sleep 3600');
      const checkpoint = scene().runtime.checkpointContainer(scene().ctx(), {
        containerId,
        location: '/tmp/checkpoint.tar',
        timeout: 5,
      });
      expect(await refusalOf(checkpoint)).toBe('Unimplemented');
    });
  });
}
