/**
 * Does what the kubelet's CRI client does with the answers of the image service, above the wire. Upstream:
 * remoteImageService (cri-client).
 */
import { CriError, type ImageService } from '@podscope/cri';

/** Returns the image service as one release of the kubelet sees it. */
export type ImageClient = (images: ImageService) => ImageService;

/**
 * Strips the gRPC code `Unknown` from errors of PullImage: events and messages then contain the runtime's text only.
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
