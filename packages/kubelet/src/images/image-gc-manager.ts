/**
 * Removes images that nothing uses when the disk they lie on is nearly full, the longest unused first.
 * Upstream: realImageGCManager (pkg/kubelet/images/image_gc_manager.go, v1.36).
 */
import type { Image, ImageService } from '@podscope/cri';
import type { EventRecorder, OSInterface, Runtime } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import { errorText } from '../util/error-text.ts';
import { quiet } from '../util/quiet.ts';

/** Upstream: ImageGCPolicy. */
export interface ImageGCPolicy {
  /** Percent of the disk in use from which on images go. 100: never. */
  readonly highThresholdPercent: number;
  /** Percent down to which. */
  readonly lowThresholdPercent: number;
  /** Younger images stay. */
  readonly minAge: Milliseconds;
  /** `pulled`: only what this node pulled itself. `all`: whatever nothing on this node uses, also what others brought. */
  readonly scope: 'pulled' | 'all';
}

/** The kubelet's thresholds and age. */
export const defaultImageGCPolicy = { highThresholdPercent: 85, lowThresholdPercent: 80, minAge: 120_000 } as const;

export interface ImageGCDependencies {
  readonly policy: ImageGCPolicy;
  readonly images: ImageService;
  readonly runtime: Pick<Runtime, 'getPods'>;
  readonly os: Pick<OSInterface, 'diskSpace'>;
  readonly recorder: EventRecorder;
  /** Whether this node pulled an image with these names. */
  readonly owns: (names: readonly string[]) => boolean;
  /** Told of images that are gone, with their names. */
  readonly removed: (names: readonly string[]) => void;
}

interface Record {
  readonly firstDetected: Instant;
  lastUsed: Instant;
  image: Image;
}

const longAgo = instant(0);

/** What is known of images, and their removal. */
export class ImageGCManager {
  readonly #deps: ImageGCDependencies;
  readonly #records = new Map<string, Record>();
  #initialized = false;

  constructor(deps: ImageGCDependencies) {
    this.#deps = deps;
  }

  /** Notes which images there are and which are in use. Those that are there at the start count as old. @returns the ids of images in use */
  async detectImages(ctx: Context): Promise<ReadonlySet<string>> {
    const { images, runtime } = this.#deps;
    const now = ctx.clock.now();
    const [pods, { images: present }] = await Promise.all([runtime.getPods(quiet(ctx), true), images.listImages(quiet(ctx), {})]);
    const references = new Set(pods.flatMap(({ containers }) => containers).flatMap(({ imageID, image }) => [imageID, image]));
    const inUse = new Set(
      present.filter(({ id, repoTags, repoDigests }) => [id, ...repoTags, ...repoDigests].some((name) => references.has(name))).map(({ id }) => id),
    );
    for (const image of present) {
      const record = this.#records.get(image.id) ?? { firstDetected: this.#initialized ? now : longAgo, lastUsed: longAgo, image };
      record.image = image;
      if (inUse.has(image.id)) record.lastUsed = now;
      this.#records.set(image.id, record);
    }
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#records.keys()) if (!ids.has(id)) this.#records.delete(id);
    this.#initialized = true;
    return inUse;
  }

  /**
   * Frees space when there is too little. Upstream: GarbageCollect.
   * @throws Error when not enough could be freed, or nothing is known of the disk
   */
  async garbageCollect(ctx: Context): Promise<void> {
    const { policy, recorder } = this.#deps;
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
    ctx.tracer.decide(ctx, 'images.garbageCollection', { usagePercent, amountToFree, candidates: candidates.length }, 'free space', true);
    const freed = await this.#freeSpace(ctx, amountToFree, freeTime, candidates);
    if (freed >= amountToFree) return;
    const message = `Insufficient free disk space on the node's image filesystem (${usagePercent}% of ${capacityBytes} used). Failed to free sufficient space by deleting unused images (freed ${freed} bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.`;
    recorder.nodeEvent(ctx, 'Warning', 'FreeDiskSpaceFailed', message);
    throw new Error(message);
  }

  /** Unused, unpinned and permitted ones: the longest unused first, then the longest known. Upstream: imagesInEvictionOrder. */
  #inEvictionOrder(inUse: ReadonlySet<string>): readonly Record[] {
    const { policy, owns } = this.#deps;
    return [...this.#records.values()]
      .filter(({ image }) => !inUse.has(image.id) && !image.pinned)
      .filter(({ image }) => policy.scope === 'all' || owns(namesOf(image)))
      .toSorted((a, b) => a.lastUsed - b.lastUsed || a.firstDetected - b.firstDetected);
  }

  async #imageFileSystem(ctx: Context): Promise<{ readonly capacityBytes: number; readonly availableBytes: number }> {
    const { imageFilesystems } = await this.#deps.images.imageFsInfo(quiet(ctx), {});
    const mountpoint = imageFilesystems[0]?.fsId?.mountpoint ?? '';
    return (await this.#deps.os.diskSpace?.(mountpoint)) ?? { capacityBytes: 0, availableBytes: 0 };
  }

  /** Upstream: freeSpace. @throws Error when an image could not be deleted and so too little is free */
  async #freeSpace(ctx: Context, bytesToFree: number, freeTime: Instant, candidates: readonly Record[]): Promise<number> {
    const { policy, images, removed } = this.#deps;
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
    if (errors.length > 0 && freed < bytesToFree) {
      throw new Error(`wanted to free ${bytesToFree} bytes, but freed ${freed} bytes space with errors in image deletion: ${errors.join(', ')}`);
    }
    return freed;
  }
}

const namesOf = ({ repoTags, repoDigests }: Image): readonly string[] => (repoTags.length > 0 ? repoTags : repoDigests);
