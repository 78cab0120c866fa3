/** Defines the CRI contract tests of container and sandbox statistics. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from '../environment.ts';
import { criError, type Scene } from '../scene.ts';

export function describeStats(scene: () => Scene, features: ContractFeatures): void {
  describe('stats', () => {
    it('of a container have its attributes and usage', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      const { stats } = await scene().runtime.containerStats(scene().ctx(), { containerId: id });
      expect(stats.attributes).toMatchObject({ id, metadata: { name: 'app', attempt: 0 } });
      expect(stats.cpu?.timestamp).toBeGreaterThan(0n);
      expect(stats.cpu?.usageCoreNanoSeconds?.value).toBeGreaterThanOrEqual(0);
      expect(stats.memory?.workingSetBytes?.value).toBeGreaterThan(0);
    });

    it('are listed by sandbox', async () => {
      const sandbox = await scene().sandbox();
      const first = await scene().start(sandbox, 'sleep 3600', { metadata: { name: 'first', attempt: 0 } });
      const second = await scene().start(sandbox, 'sleep 3600', { metadata: { name: 'second', attempt: 0 } });
      const { stats } = await scene().runtime.listContainerStats(scene().ctx(), {
        filter: { podSandboxId: sandbox.id },
      });
      expect(stats.map(({ attributes }) => attributes.id).toSorted()).toEqual([first, second].toSorted());
    });

    it('are listed by label, and all without a filter', async () => {
      const group = crypto.randomUUID();
      const id = await scene().start(await scene().pod(), 'sleep 3600', { labels: { group } });
      const listed = async (labelSelector?: Record<string, string>): Promise<string[]> => {
        const { stats } = await scene().runtime.listContainerStats(
          scene().ctx(),
          labelSelector ? { filter: { labelSelector } } : {},
        );
        return stats.map(({ attributes }) => attributes.id);
      };
      expect(await listed({ group })).toEqual([id]);
      expect(await listed({ group: 'other' })).toEqual([]);
      expect(await listed()).toContain(id);
    });

    it('of an unknown container are rejected', async () => {
      await expect(
        scene().runtime.containerStats(scene().ctx(), { containerId: 'fedcba9876543210'.repeat(4) }),
      ).rejects.toMatchObject(criError('NotFound'));
    });

    const describeSandboxStats = features.sandboxStats === false ? describeNoSandboxStats : describeAllSandboxStats;
    describeSandboxStats(scene);
  });
}

function describeNoSandboxStats(scene: () => Scene): void {
  it('of a sandbox are Unimplemented', async () => {
    const { id: podSandboxId } = await scene().sandbox();
    await expect(scene().runtime.podSandboxStats(scene().ctx(), { podSandboxId })).rejects.toMatchObject(
      criError('Unimplemented'),
    );
  });
}

function describeAllSandboxStats(scene: () => Scene): void {
  it('of a sandbox cover its containers', async () => {
    const sandbox = await scene().sandbox();
    const id = await scene().start(sandbox, 'sleep 3600');
    const { stats } = await scene().runtime.podSandboxStats(scene().ctx(), { podSandboxId: sandbox.id });
    expect(stats.attributes).toMatchObject({ id: sandbox.id, metadata: sandbox.config.metadata });
    expect(stats.linux?.containers?.map(({ attributes }) => attributes.id)).toEqual([id]);
    const all = await scene().runtime.listPodSandboxStats(scene().ctx(), { filter: { id: sandbox.id } });
    expect(all.stats.map(({ attributes }) => attributes.id)).toEqual([sandbox.id]);
  });
}
