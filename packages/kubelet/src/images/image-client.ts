/**
 * Adapts the image service as the kubelet's CRI client does: strips error codes of pulls. Upstream: remoteImageService
 * (cri-client).
 */
import { CriError, type ImageService } from '@podscope/cri';

/** Wraps an image service to behave like the CRI client of one release. */
export type ImageClient = (images: ImageService) => ImageService;

/**
 * Strips the gRPC code `Unknown` from errors of PullImage, so that events and messages contain only the runtime's text.
 * Upstream: remoteImageService.pullImageV1 (v1.36).
 */
export const imageClientV136: ImageClient = (images) => ({
  imageStatus: (ctx, request) => images.imageStatus(ctx, request),
  listImages: (ctx, request) => images.listImages(ctx, request),
  streamImages: (ctx, request) => images.streamImages(ctx, request),
  removeImage: (ctx, request) => images.removeImage(ctx, request),
  imageFsInfo: (ctx, request) => images.imageFsInfo(ctx, request),
  pullImage: async (ctx, request) => {
    try {
      return await images.pullImage(ctx, request);
    } catch (error) {
      throw error instanceof CriError && error.code === 'Unknown' ? new Error(error.message, { cause: error }) : error;
    }
  },
});
