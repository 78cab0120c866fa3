/** Tests which images garbage collection removes, and when. */
import { MemoryOS } from '@podscope/kuberuntime';
import { background, Tracer } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import { defaultImageGCPolicy, type ImageGCPolicy } from './image-gc-manager.ts';

/** A full disk of 1 GB. */
class Disk extends MemoryOS {
  usedPercent = 50;
  async diskSpace(): Promise<{ readonly capacityBytes: number; readonly availableBytes: number }> {
    return { capacityBytes: 1e9, availableBytes: 1e7 * (100 - this.usedPercent) };
  }
}

describe('image garbage collection', () => {
  let harness: KubeletHarness;
  let disk: Disk;
  afterEach(() => harness.stop());

  const start = async (scope: ImageGCPolicy['scope'], os = new Disk() as MemoryOS): Promise<void> => {
    disk = os as Disk;
    harness = new KubeletHarness({
      os,
      simulator: { latencies: {}, images: ['busybox:1.36', 'nginx:1.25'] },
      imageGC: { ...defaultImageGCPolicy, scope },
    });
    await harness.start();
  };
  const images = async (): Promise<readonly string[]> => {
    const { images: list } = (await harness.simulator?.images.listImages(
      background(harness.clock, new Tracer()),
      {},
    )) ?? {
      images: [],
    };
    return list.flatMap(({ repoTags }) => repoTags).toSorted();
  };
  const once = (name: string, image: string): void =>
    harness.api.apply(
      newPod(name, { restartPolicy: 'Never', containers: [{ name: 'app', image, command: ['true'] }] }),
    );

  it('deletes no images while the disk has enough space', async () => {
    await start('all');
    await harness.until(700);
    expect(await images()).toContain('nginx:1.25');
  });

  it('removes unused images and keeps those of running and exited containers when the scope is `all`', async () => {
    await start('all');
    once('job', 'busybox:1.36');
    disk.usedPercent = 90;
    await harness.until(301);
    expect(await images()).toEqual(expect.arrayContaining(['busybox:1.36']));
    expect(await images()).not.toContain('nginx:1.25');
  });

  it('removes only images that the kubelet pulled and no container uses when the scope is `pulled`', async () => {
    await start('pulled');
    once('job', 'alpine:3.20');
    await harness.until(20);
    expect(await images()).toContain('alpine:3.20');
    disk.usedPercent = 90;
    await harness.until(301);
    expect(await images()).toContain('alpine:3.20');
    harness.api.delete('job', 0);
    await harness.until(601);
    expect(await images()).not.toContain('alpine:3.20');
    expect(await images()).toEqual(expect.arrayContaining(['busybox:1.36', 'nginx:1.25']));
    // The collection has freed too little. The first failure is only logged as a warning.
    expect(harness.nodeEvents.find(({ reason }) => reason === 'FreeDiskSpaceFailed')?.message).toMatch(
      /^Insufficient free disk space on the node's image filesystem \(90% of 1000000000 used\)\. Failed to free/,
    );
  });

  it('records InvalidDiskCapacity when the disk is unknown, and ImageGCFailed at the second failure', async () => {
    await start('all', new MemoryOS());
    await harness.until(301);
    expect(harness.nodeEvents.map(({ reason, message }) => `${reason} ${message}`)).toEqual([
      'Starting Starting kubelet.',
      'InvalidDiskCapacity invalid capacity 0 on image filesystem',
    ]);
    await harness.until(601);
    expect(harness.nodeEvents.map(({ reason }) => reason)).toEqual([
      'Starting',
      'InvalidDiskCapacity',
      'InvalidDiskCapacity',
      'ImageGCFailed',
    ]);
  });
});
