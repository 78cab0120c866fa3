/** Implements CRI's ImageService on Docker. Upstream: dockerService (dockershim docker_image.go, v1.20). */
import * as cri from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { ImageFsUsage } from '../image/image-fs-info.ts';
import { imageStatus, listImages } from '../image/image-status.ts';
import { pullImage } from '../image/pull-image.ts';
import { removeImage } from '../image/remove-image.ts';

/** The ImageService. The modules in `image/` implement its RPCs. */
export class DockershimImageService extends cri.UnimplementedImageService {
  readonly #dependencies: DockershimDependencies;
  readonly #usage: ImageFsUsage;

  constructor(dependencies: DockershimDependencies) {
    super();
    this.#dependencies = dependencies;
    this.#usage = new ImageFsUsage(dependencies);
  }

  override listImages(ctx: Context, request: cri.ListImagesRequest): Promise<cri.ListImagesResponse> {
    return listImages(ctx, this.#dependencies, request);
  }
  override async *streamImages(
    ctx: Context,
    request: cri.StreamImagesRequest,
  ): AsyncGenerator<cri.StreamImagesResponse> {
    yield await listImages(ctx, this.#dependencies, request);
  }
  override imageStatus(ctx: Context, request: cri.ImageStatusRequest): Promise<cri.ImageStatusResponse> {
    return imageStatus(ctx, this.#dependencies, request);
  }
  override pullImage(ctx: Context, request: cri.PullImageRequest): Promise<cri.PullImageResponse> {
    return pullImage(ctx, this.#dependencies, request).finally(() => this.#usage.expire());
  }
  override removeImage(ctx: Context, request: cri.RemoveImageRequest): Promise<cri.RemoveImageResponse> {
    return removeImage(ctx, this.#dependencies, request).finally(() => this.#usage.expire());
  }
  override imageFsInfo(ctx: Context): Promise<cri.ImageFsInfoResponse> {
    return this.#usage.read(ctx);
  }
}
