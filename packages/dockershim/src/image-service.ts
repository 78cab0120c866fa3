/** ImageService over Docker. */
import * as cri from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { imageFsInfo } from './image/image-fs-info.ts';
import { imageStatus, listImages } from './image/image-status.ts';
import { pullImage } from './image/pull-image.ts';
import { removeImage } from './image/remove-image.ts';
import type { Shim } from './shim.ts';

/** Images over Docker. */
export class DockershimImageService extends cri.UnimplementedImageService {
  readonly #shim: Shim;

  constructor(shim: Shim) {
    super();
    this.#shim = shim;
  }

  override listImages(ctx: Context, request: cri.ListImagesRequest): Promise<cri.ListImagesResponse> {
    return listImages(this.#shim, ctx, request);
  }
  override async *streamImages(ctx: Context, request: cri.StreamImagesRequest): AsyncGenerator<cri.StreamImagesResponse> {
    yield await listImages(this.#shim, ctx, request);
  }
  override imageStatus(ctx: Context, request: cri.ImageStatusRequest): Promise<cri.ImageStatusResponse> {
    return imageStatus(this.#shim, ctx, request);
  }
  override pullImage(ctx: Context, request: cri.PullImageRequest): Promise<cri.PullImageResponse> {
    return pullImage(this.#shim, ctx, request);
  }
  override removeImage(ctx: Context, request: cri.RemoveImageRequest): Promise<cri.RemoveImageResponse> {
    return removeImage(this.#shim, ctx, request);
  }
  override imageFsInfo(ctx: Context): Promise<cri.ImageFsInfoResponse> {
    return imageFsInfo(this.#shim, ctx);
  }
}
