/** RemoveImage. */
import { CriError, type RemoveImageRequest, type RemoveImageResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { Shim } from '../shim.ts';
import { findImage } from './find-image.ts';

/** Takes away all names of an image, and so the image. One that is gone is success. Upstream: RemoveImage (dockershim docker_image.go, v1.20). */
export async function removeImage(shim: Shim, ctx: Context, { image }: RemoveImageRequest): Promise<RemoveImageResponse> {
  if (!image?.image) throw new CriError('InvalidArgument', 'image removal needs an image');
  const found = await findImage(shim, ctx, image.image);
  if (!found) return {};
  await shim.imageVolumes.remove(ctx, found.Id);
  try {
    for (const ref of [...found.RepoTags, ...found.RepoDigests, found.Id]) {
      await shim.docker.removeImage(ctx, { ref }).catch((error: unknown) => {
        if (!isNotFound(error) && !/unrecognized image ID/i.test(String(error))) throw error;
      });
    }
  } finally {
    shim.imageNames.forgetAll();
  }
  return {};
}
