/** Adapts the image service as the CRI client of v1.20 does. Upstream: pkg/kubelet/cri/remote (v1.20). */
import type { ImageClient } from '../image-client.ts';

/**
 * Returns the service unchanged: the CRI client of v1.20 returns errors as they are. Upstream: remoteImageService
 * (v1.20).
 */
export const imageClientV120: ImageClient = (images) => images;
