/** Defines how the kubelet calls the image service. Upstream: pkg/kubelet/cri/remote (v1.20). */
import type { ImageClient } from '../image-client.ts';

/** Upstream: remoteImageService (v1.20), which passes errors on as they are. */
export const imageClientV120: ImageClient = (images) => images;
