/** Tests which images garbage collection removes, and when. */
import { type ContainerStatusResponse, type Image, type ImageService, UnimplementedImageService } from '@podscope/cri';
import { MemoryOS, type RuntimeContainer } from '@podscope/kuberuntime';
import { background, type Context, instant, Tracer, VirtualClock } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import {
  defaultImageGCPolicy,
  type ImageGCDependencies,
  ImageGCManager,
  type ImageGCPolicy,
  imageGCV136,
} from './image-gc-manager.ts';

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

  const start = async (
    scope: ImageGCPolicy['scope'],
    os = new Disk() as MemoryOS,
    profile: 'v1.36' | 'v1.20' = 'v1.36',
  ): Promise<void> => {
    disk = os as Disk;
    harness = new KubeletHarness({
      os,
      profile,
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

  it('keeps an image that a container mounts as a volume', async () => {
    await start('all');
    harness.api.apply(
      newPod('web', {
        volumes: [{ name: 'files', image: { reference: 'nginx:1.25' } }],
        containers: [
          {
            name: 'app',
            image: 'busybox:1.36',
            command: ['sleep', '3600'],
            volumeMounts: [{ name: 'files', mountPath: '/files' }],
          },
        ],
      }),
    );
    disk.usedPercent = 90;
    await harness.until(301);
    expect(await images()).toEqual(expect.arrayContaining(['busybox:1.36', 'nginx:1.25']));
    expect(harness.nodeEvents.map(({ reason }) => reason)).toContain('FreeDiskSpaceFailed');
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
      /^Insufficient free disk space on the node's image filesystem \(90% of 953\.7 MiB used\)\. Failed to free/,
    );
  });

  it.each([
    ['v1.36', 0],
    ['v1.20', 300],
  ] as const)(
    'records InvalidDiskCapacity when the disk is unknown, and ImageGCFailed at the second failure (%s)',
    async (profile, first) => {
      await start('all', new MemoryOS(), profile);
      await harness.until(first + 1);
      expect(harness.nodeEvents.map(({ at, reason, message }) => [at, reason, message])).toEqual([
        [0, 'Starting', 'Starting kubelet.'],
        [first, 'InvalidDiskCapacity', 'invalid capacity 0 on image filesystem'],
      ]);
      await harness.until(first + 301);
      expect(harness.nodeEvents.map(({ reason }) => reason)).toEqual([
        'Starting',
        'InvalidDiskCapacity',
        'InvalidDiskCapacity',
        'ImageGCFailed',
      ]);
    },
  );

  it('keeps images for two minutes after the start of v1.36, and reports the full disk', async () => {
    const os = new Disk();
    os.usedPercent = 90;
    await start('all', os);
    await harness.until(100);
    expect(await images()).toContain('nginx:1.25');
    expect(harness.nodeEvents.map(({ at, reason }) => [at, reason])).toEqual([
      [0, 'Starting'],
      [0, 'FreeDiskSpaceFailed'],
    ]);
    await harness.until(301);
    expect(await images()).not.toContain('nginx:1.25');
  });

  it('reports in the words of v1.20 that too little could be freed', async () => {
    const os = new Disk();
    os.usedPercent = 90;
    await start('pulled', os, 'v1.20');
    await harness.until(301);
    const message =
      'failed to garbage collect required amount of images. Wanted to free 100000000 bytes, but freed 0 bytes';
    expect(harness.nodeEvents.find(({ reason }) => reason === 'FreeDiskSpaceFailed')?.message).toBe(message);
  });
});

describe('ImageGCManager', () => {
  const stored = (id: string, repoTags: readonly string[] = []): Image => ({
    id,
    repoTags,
    repoDigests: [],
    size: 60_000_000,
    username: '',
    pinned: false,
  });

  const detect = (containerStatus: ImageGCDependencies['containers']['containerStatus']) => {
    const images: ImageService = new (class extends UnimplementedImageService {
      override listImages = async () => ({ images: [stored('old'), stored('new', ['app:1']), stored('files')] });
    })();
    const container: RuntimeContainer = {
      id: { type: 'fake', id: 'c1' },
      name: 'app',
      image: 'app:1',
      imageID: 'old',
      hash: 0,
      state: 'running',
      createdAt: instant(0),
      podSandboxID: 's1',
    };
    const pod = { id: 'u1', name: 'web', namespace: 'default', createdAt: instant(0), sandboxes: [] };
    const manager = new ImageGCManager({
      policy: { ...defaultImageGCPolicy, minAge: 0, scope: 'all' },
      release: imageGCV136,
      images,
      runtime: { getPods: async () => [{ ...pod, containers: [container] }] },
      containers: { containerStatus },
      os: new Disk(),
      recorder: { event: () => undefined, nodeEvent: () => undefined },
      owns: () => true,
      removed: () => undefined,
    });
    return manager.detectImages(background(new VirtualClock(), new Tracer()));
  };

  it('regards the image that a container started from as used, but not the image that has its tag now', async () => {
    const response = { status: { mounts: [{ containerPath: '/files', image: { image: 'files' } }] } };
    const inUse = await detect(async () => response as unknown as ContainerStatusResponse);
    expect([...inUse]).toEqual(['old', 'files']);
  });

  it('fails when the status of a container cannot be read', async () => {
    const failing = detect(() => Promise.reject(new Error('no such container')));
    await expect(failing).rejects.toThrow('get container status: runtime container status: no such container');
  });

  it('fails when an image cannot be deleted, even if the others free enough space', async () => {
    const removed: string[] = [];
    const images: ImageService = new (class extends UnimplementedImageService {
      override listImages = async () => ({ images: [stored('a'), stored('b'), stored('c')] });
      override imageFsInfo = async () => ({ imageFilesystems: [], containerFilesystems: [] });
      override removeImage = async (
        _ctx: Context,
        { image: { image: id } }: { readonly image: { readonly image: string } },
      ) => {
        if (id === 'a') throw new Error('read-only file system');
        removed.push(id);
        return {};
      };
    })();
    const disk = new Disk();
    disk.usedPercent = 90;
    const manager = new ImageGCManager({
      policy: { ...defaultImageGCPolicy, minAge: 0, scope: 'all' },
      release: imageGCV136,
      images,
      runtime: { getPods: async () => [] },
      containers: { containerStatus: () => Promise.reject(new Error('unused')) },
      os: disk,
      recorder: { event: () => undefined, nodeEvent: () => undefined },
      owns: () => true,
      removed: () => undefined,
    });
    await expect(manager.garbageCollect(background(new VirtualClock(), new Tracer()))).rejects.toThrow(
      'wanted to free 100000000 bytes, but freed 120000000 bytes space with errors in image deletion: read-only',
    );
    expect(removed).toEqual(['b', 'c']);
  });
});
