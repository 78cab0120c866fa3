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
  await requireUnused(shim, ctx, found.Id);
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

/** The engine would refuse to take away the last name only: the others would be lost, and the image still there. */
async function requireUnused(shim: Shim, ctx: Context, id: string): Promise<void> {
  const containers = await shim.docker.listContainers(ctx, { all: true, filters: { ancestor: [id] } });
  const user = containers.find(({ ImageID }) => ImageID === id);
  if (user) throw new CriError('FailedPrecondition', `image ${id} is in use by container ${user.Id}`);
}
