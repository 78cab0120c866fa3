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
import { dockerCall } from '../engine/docker-calls.ts';
import { sizeOf, toImage } from '../images/image-store.ts';
import { pullImage } from '../images/pull-image.ts';
import type { SimulatedNode } from '../node.ts';
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
    await this.#node.take(ctx, 'ListImages');
    return { images: this.#list(filter?.image?.image) };
  }

  override async *streamImages(ctx: Context, { filter }: StreamImagesRequest): AsyncGenerator<StreamImagesResponse> {
    await this.#node.take(ctx, 'StreamImages');
    yield { images: this.#list(filter?.image?.image) };
  }

  override async imageStatus(ctx: Context, { image }: ImageStatusRequest): Promise<ImageStatusResponse> {
    await this.#node.take(ctx, 'ImageStatus');
    const found = this.#node.images.find(image.image);
    return found ? { image: toImage(found, this.#isPinned(found.repoTags)) } : {};
  }

  override async pullImage(ctx: Context, { image, auth }: PullImageRequest): Promise<PullImageResponse> {
    const node = this.#node;
    await node.take(ctx, 'PullImage');
    const reference = readImageReference(image.image);
    if (!reference)
      throw new CriError('InvalidArgument', `couldn't parse image name "${image.image}": invalid reference format`);
    const query = { fromImage: image.image };
    return {
      imageRef: await dockerCall(ctx, 'pullImage', { query }, (inner) => pullImage(inner, node, reference, auth)),
    };
  }

  override async removeImage(ctx: Context, { image }: RemoveImageRequest): Promise<RemoveImageResponse> {
    return dockerCall(ctx, 'removeImage', { id: image.image }, async (inner) => {
      await this.#node.take(inner, 'RemoveImage');
      const found = this.#node.images.find(image.image);
      if (!found) return {};
      const user = [...this.#records.containers.values()].find((container) => container.image === found);
      if (user) {
        throw new CriError(
          'FailedPrecondition',
          `Error response from daemon: conflict: unable to delete ${found.id.slice(7, 19)} (must be forced) - ` +
            `image is being used by container ${user.id.slice(0, 12)}`,
        );
      }
      this.#node.images.remove(found);
      return {};
    });
  }

  override async imageFsInfo(ctx: Context, _request: ImageFsInfoRequest): Promise<ImageFsInfoResponse> {
    await this.#node.take(ctx, 'ImageFsInfo');
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

  #list(name: string | undefined): readonly Image[] {
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
