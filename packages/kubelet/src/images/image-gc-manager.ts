/**
 * Removes unused images when their disk is nearly full, starting with the image that has been unused for the longest
 * time. Upstream: realImageGCManager (pkg/kubelet/images/image_gc_manager.go, v1.36).
 */
import { aggregateText, errorText } from '@podscope/base';
import type { Image, ImageService, RuntimeService } from '@podscope/cri';
import type { EventRecorder, OSInterface, Runtime, RuntimePod } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import { withoutTracing } from '../util/without-tracing.ts';

/** The settings of image garbage collection. Upstream: ImageGCPolicy. */
export interface ImageGCPolicy {
  /** Images are deleted when at least this percentage of the disk is used. 100: images are never deleted. */
  readonly highThresholdPercent: number;
  /** Images are deleted until at most this percentage of the disk is used. */
  readonly lowThresholdPercent: number;
  /** Images younger than this are kept, in ms. */
  readonly minAge: Milliseconds;
  /**
   * Which images may be deleted. `pulled`: those that this node pulled. `all`: every image that no container on this
   * node uses.
   */
  readonly scope: 'pulled' | 'all';
}

/** The kubelet's defaults. */
export const defaultImageGCPolicy = { highThresholdPercent: 85, lowThresholdPercent: 80, minAge: 120_000 } as const;

/** The differences between releases. */
export interface ImageGCRelease {
  /** Whether images that exist at the kubelet's start count as old. */
  readonly trustsFirstImages: boolean;
  /** Whether the first collection runs at the kubelet's start. In v1.20 that one fails: it has no statistics yet. */
  readonly collectsAtStart: boolean;
  /** Whether images that containers mount as volumes are in use. */
  readonly knowsImageVolumes: boolean;
  /** Returns the error when too little could be freed. */
  readonly freedTooLittle: (facts: {
    readonly usagePercent: number;
    readonly capacityBytes: number;
    readonly amountToFree: number;
    readonly freed: number;
  }) => string;
}

/** Returns a number with one decimal place like Go's `%.1f`, which rounds halves to the even digit. */
function oneDecimal(value: number): string {
  const tenths = Math.floor(value * 10);
  const rest = value * 10 - tenths;
  return ((tenths + Number(rest > 0.5 || (rest === 0.5 && tenths % 2 === 1))) / 10).toFixed(1);
}

/** Returns a size in the largest unit that gives at least 1. Upstream: formatSize. */
function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const power = units.findLastIndex((_unit, index) => bytes >= 1024 ** (index + 1));
  return `${oneDecimal(bytes / 1024 ** (power + 1))} ${units[power]}`;
}

export const imageGCV136: ImageGCRelease = {
  trustsFirstImages: false,
  collectsAtStart: true,
  knowsImageVolumes: true,
  freedTooLittle: ({ usagePercent, capacityBytes, freed }) =>
    `Insufficient free disk space on the node's image filesystem (${usagePercent}% of ${formatSize(capacityBytes)} ` +
    `used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). ` +
    'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.',
};

export const imageGCV120: ImageGCRelease = {
  trustsFirstImages: true,
  collectsAtStart: false,
  knowsImageVolumes: false,
  freedTooLittle: ({ amountToFree, freed }) =>
    'failed to garbage collect required amount of images. ' +
    `Wanted to free ${amountToFree} bytes, but freed ${freed} bytes`,
};

export interface ImageGCDependencies {
  readonly policy: ImageGCPolicy;
  readonly release: ImageGCRelease;
  readonly images: ImageService;
  readonly runtime: Pick<Runtime, 'getPods'>;
  readonly containers: Pick<RuntimeService, 'containerStatus'>;
  readonly os: Pick<OSInterface, 'diskSpace'>;
  readonly recorder: EventRecorder;
  /** True when this node pulled the image that has these names. */
  readonly owns: (names: readonly string[]) => boolean;
  /** Receives the names of each deleted image. */
  readonly removed: (names: readonly string[]) => void;
}

interface Record {
  readonly firstDetected: Instant;
  lastUsed: Instant;
  image: Image;
}

const longAgo = instant(0);

/** Records when images were used and removes unused ones. */
export class ImageGCManager {
  readonly #dependencies: ImageGCDependencies;
  readonly #records = new Map<string, Record>();
  #initialized = false;

  constructor(dependencies: ImageGCDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Records which images exist and when each was last used.
   * @returns the ids of the images in use
   * @throws Error when the runtime can't be asked, also for the status of a single container
   */
  async detectImages(ctx: Context): Promise<ReadonlySet<string>> {
    const { images, runtime, release } = this.#dependencies;
    const now = ctx.clock.now();
    const { images: present } = await images.listImages(withoutTracing(ctx), {});
    const pods = await runtime.getPods(withoutTracing(ctx), true);
    const inUse = new Set(pods.flatMap(({ containers }) => containers).map(({ imageID }) => imageID));
    for (const id of await this.#mountedImages(ctx, pods)) inUse.add(id);
    for (const image of present) {
      const record = this.#records.get(image.id) ?? {
        firstDetected: this.#initialized || !release.trustsFirstImages ? now : longAgo,
        lastUsed: longAgo,
        image,
      };
      record.image = image;
      if (inUse.has(image.id)) record.lastUsed = now;
      this.#records.set(image.id, record);
    }
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#records.keys()) if (!ids.has(id)) this.#records.delete(id);
    this.#initialized = true;
    return inUse;
  }

  /** Returns the images that containers mount as volumes. Upstream: handleImageVolumes. */
  async #mountedImages(ctx: Context, pods: readonly RuntimePod[]): Promise<readonly string[]> {
    const { containers: service, release } = this.#dependencies;
    if (!release.knowsImageVolumes) return [];
    const mounted: string[] = [];
    for (const { id } of pods.flatMap(({ containers }) => containers)) {
      const { status } = await service
        .containerStatus(withoutTracing(ctx), { containerId: id.id })
        .catch((error: unknown) => {
          throw new Error(`get container status: runtime container status: ${errorText(error)}`, { cause: error });
        });
      if (!status) throw new Error('get container status: container status is nil');
      mounted.push(...status.mounts.flatMap(({ image }) => image?.image ?? []));
    }
    return mounted;
  }

  /** Whether the first collection runs at the kubelet's start. */
  get collectsAtStart(): boolean {
    return this.#dependencies.release.collectsAtStart;
  }

  /**
   * Frees disk space when too little is left. Upstream: GarbageCollect.
   * @throws Error when too little could be freed, or the disk's size is unknown
   */
  async garbageCollect(ctx: Context): Promise<void> {
    const { policy, recorder, release } = this.#dependencies;
    const freeTime = ctx.clock.now();
    const candidates = this.#inEvictionOrder(await this.detectImages(ctx));
    const { capacityBytes, availableBytes } = await this.#imageFileSystem(ctx);
    if (capacityBytes === 0) {
      const message = 'invalid capacity 0 on image filesystem';
      recorder.nodeEvent(ctx, 'Warning', 'InvalidDiskCapacity', message);
      throw new Error(message);
    }
    const available = Math.min(availableBytes, capacityBytes);
    const usagePercent = 100 - Math.floor((available * 100) / capacityBytes);
    if (usagePercent < policy.highThresholdPercent) return;
    const amountToFree = Math.floor((capacityBytes * (100 - policy.lowThresholdPercent)) / 100) - available;
    ctx.tracer.decide(
      ctx,
      'images.garbageCollection',
      { usagePercent, amountToFree, candidates: candidates.length },
      'free space',
      true,
    );
    const freed = await this.#freeSpace(ctx, amountToFree, freeTime, candidates);
    if (freed >= amountToFree) return;
    const message = release.freedTooLittle({ usagePercent, capacityBytes, amountToFree, freed });
    recorder.nodeEvent(ctx, 'Warning', 'FreeDiskSpaceFailed', message);
    throw new Error(message);
  }

  /**
   * Returns the unused, unpinned images that the policy allows to delete, ordered by last use and then by age, the
   * oldest first. Upstream: imagesInEvictionOrder.
   */
  #inEvictionOrder(inUse: ReadonlySet<string>): readonly Record[] {
    const { policy, owns } = this.#dependencies;
    return [...this.#records.values()]
      .filter(({ image }) => !inUse.has(image.id) && !image.pinned)
      .filter(({ image }) => policy.scope === 'all' || owns(namesOf(image)))
      .toSorted((a, b) => a.lastUsed - b.lastUsed || a.firstDetected - b.firstDetected);
  }

  async #imageFileSystem(ctx: Context): Promise<{ readonly capacityBytes: number; readonly availableBytes: number }> {
    const { imageFilesystems } = await this.#dependencies.images.imageFsInfo(withoutTracing(ctx), {});
    const mountpoint = imageFilesystems[0]?.fsId?.mountpoint ?? '';
    return (await this.#dependencies.os.diskSpace?.(mountpoint)) ?? { capacityBytes: 0, availableBytes: 0 };
  }

  /**
   * Deletes images until enough space is free. Upstream: freeSpace.
   * @throws Error when an image could not be deleted, even if enough space is free
   */
  async #freeSpace(
    ctx: Context,
    bytesToFree: number,
    freeTime: Instant,
    candidates: readonly Record[],
  ): Promise<number> {
    const { policy, images, removed } = this.#dependencies;
    const errors: string[] = [];
    let freed = 0;
    for (const { image, firstDetected } of candidates) {
      if (freed >= bytesToFree) break;
      if (freeTime - firstDetected < policy.minAge) continue;
      try {
        await images.removeImage(ctx, { image: { image: image.id } });
        this.#records.delete(image.id);
        removed(namesOf(image));
        freed += image.size;
      } catch (error) {
        errors.push(errorText(error));
      }
    }
    if (errors.length > 0) {
      throw new Error(
        `wanted to free ${bytesToFree} bytes, but freed ${freed} bytes space ` +
          `with errors in image deletion: ${aggregateText(errors)}`,
      );
    }
    return freed;
  }
}

const namesOf = ({ repoTags, repoDigests }: Image): readonly string[] => (repoTags.length > 0 ? repoTags : repoDigests);
