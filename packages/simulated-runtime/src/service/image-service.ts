/** Implements CRI's ImageService on the simulated registries. */
import { readImageReference } from '@podscope/base';
import {
  CriError,
  type Image,
  type ImageFsInfoRequest,
  type ImageFsInfoResponse,
  type ImageStatusRequest,
  type ImageStatusResponse,
  type ListImagesRequest,
  type ListImagesResponse,
  type PullImageRequest,
  type PullImageResponse,
  type RemoveImageRequest,
  type RemoveImageResponse,
  type StreamImagesRequest,
  type StreamImagesResponse,
  UnimplementedImageService,
} from '@podscope/cri';
import { type Context, toNanoseconds } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import { dockerCall } from '../engine/docker-calls.ts';
import { unlessMissing } from '../engine/engine.ts';
import { type StoredImage, sizeOf, toImage } from '../images/image-store.ts';
import { engineReference, pullImage, pullQuery } from '../images/pull-image.ts';
import type { SimulatedNode } from '../node.ts';
import type { Operation } from '../operations.ts';
import type { Records } from '../records.ts';
import { imageFileSystem } from './stats.ts';

export class SimulatedImageService extends UnimplementedImageService {
  readonly #node: SimulatedNode;
  readonly #records: Records;

  constructor(records: Records) {
    super();
    this.#records = records;
    this.#node = records.node;
  }

  override async listImages(ctx: Context, { filter }: ListImagesRequest): Promise<ListImagesResponse> {
    return { images: await this.#list(ctx, filter?.image?.image, 'ListImages') };
  }

  override async *streamImages(ctx: Context, { filter }: StreamImagesRequest): AsyncGenerator<StreamImagesResponse> {
    yield { images: await this.#list(ctx, filter?.image?.image, 'StreamImages') };
  }

  override async imageStatus(ctx: Context, { image }: ImageStatusRequest): Promise<ImageStatusResponse> {
    const found = await this.#find(ctx, image.image, 'ImageStatus');
    return found ? { image: toImage(found, this.#isPinned(found.repoTags)) } : {};
  }

  override async pullImage(ctx: Context, { image, auth }: PullImageRequest): Promise<PullImageResponse> {
    const node = this.#node;
    await node.take(ctx, 'PullImage');
    const reference = readImageReference(image.image);
    if (!reference)
      throw new CriError('InvalidArgument', `couldn't parse image name "${image.image}": invalid reference format`);
    try {
      const imageRef = await dockerCall(ctx, 'pullImage', { query: pullQuery(reference) }, (inner) =>
        pullImage(inner, node, reference, auth),
      );
      await this.#find(ctx, image.image);
      return { imageRef };
    } finally {
      this.#records.engine.forgetImages();
    }
  }

  /** Removes all names of an image, then its id. Upstream: RemoveImage (dockershim docker_image.go, v1.20). */
  override async removeImage(ctx: Context, { image }: RemoveImageRequest): Promise<RemoveImageResponse> {
    const { engine, containers } = this.#records;
    const { images, release } = this.#node;
    const found = await this.#find(ctx, image.image, 'RemoveImage');
    if (!found) return {};
    const { id } = found;
    const users = (): SimulatedContainer[] => [...containers.values()].filter((each) => each.image === found);
    // v1.36 first checks whether a container uses the image, because the engine removes all names but the last before
    // it rejects the request.
    const [user] =
      release === 'v1.36'
        ? await engine.listContainers(ctx, { all: true, filters: { ancestor: [id] }, find: users })
        : users();
    if (release === 'v1.36') {
      if (user) throw inUse(id, user.id);
      const mounting = [...containers.values()].find(({ config: { mounts = [] } }) =>
        mounts.some((mount) => mount.image && images.find(mount.image.image) === found),
      );
      if (mounting)
        throw new CriError('FailedPrecondition', `image ${id} is in use as a volume of container ${mounting.id}`);
    }
    try {
      const tags = [...found.repoTags];
      for (const [index, ref] of [...tags, ...found.repoDigests, id].entries())
        await unlessMissing(
          dockerCall(ctx, 'removeImage', { id: ref }, () => {
            if (images.find(id) !== found) throw new CriError('NotFound', `Error: No such image: ${ref}`);
            if (index < tags.length - 1) return;
            if (user) throw inUse(id, user.id);
            images.remove(found);
          }),
        );
      return {};
    } finally {
      engine.forgetImages();
    }
  }

  override async imageFsInfo(ctx: Context, _request: ImageFsInfoRequest): Promise<ImageFsInfoResponse> {
    await this.#records.engine.diskUsage(ctx, 'ImageFsInfo');
    const timestamp = toNanoseconds(this.#node.clock.now());
    const fsId = { mountpoint: imageFileSystem };
    const images = this.#node.images.list();
    const imageBytes = images.reduce((sum, { definition }) => sum + sizeOf(definition), 0);
    const containerBytes = [...this.#records.containers.values()].reduce(
      (sum, container) => sum + container.usedBytes,
      0,
    );
    return {
      imageFilesystems: [
        { timestamp, fsId, usedBytes: { value: imageBytes }, inodesUsed: { value: images.length * 400 } },
      ],
      containerFilesystems: [
        {
          timestamp,
          fsId,
          usedBytes: { value: containerBytes },
          inodesUsed: { value: this.#records.containers.size * 8 },
        },
      ],
    };
  }

  /** Finds an image. v1.20 requests an image that it doesn't find by name once more by its id. */
  async #find(ctx: Context, text: string, operation?: Operation): Promise<StoredImage | undefined> {
    const { engine } = this.#records;
    const { images, release } = this.#node;
    const reference = engineReference(text, release);
    if (reference === undefined) return undefined;
    const find = (): StoredImage | undefined => images.find(text);
    const found = await unlessMissing(engine.inspectImage(ctx, reference, find, operation));
    return found || release === 'v1.36' ? found : unlessMissing(engine.inspectImage(ctx, reference, find));
  }

  async #list(ctx: Context, name: string | undefined, operation: Operation): Promise<readonly Image[]> {
    if (name && this.#node.release === 'v1.36') {
      const found = await this.#find(ctx, name, operation);
      return found ? [toImage(found, this.#isPinned(found.repoTags))] : [];
    }
    await this.#records.engine.listImages(ctx, name, operation);
    const images = this.#node.images.list();
    const wanted = name ? this.#node.images.find(name) : undefined;
    const listed = name ? images.filter((image) => image === wanted) : images;
    return listed.map((image) => toImage(image, this.#isPinned(image.repoTags)));
  }

  /**
   * Returns whether the tags include the sandbox image. A pinned image isn't removed by the kubelet's garbage
   * collection.
   */
  #isPinned(tags: ReadonlySet<string>): boolean {
    return tags.has(this.#node.sandboxImage);
  }
}

/** Returns the engine's error for an image that a container uses. */
const inUse = (id: string, containerId: string): CriError =>
  new CriError(
    'FailedPrecondition',
    `Error response from daemon: conflict: unable to delete ${id.slice(7, 19)} (must be forced) - image is being ` +
      `used by container ${containerId.slice(0, 12)}`,
  );
