/** Implements RemoveImage. Upstream: dockershim docker_image.go (v1.20). */
import { CriError, type RemoveImageRequest, type RemoveImageResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound } from '../docker/error.ts';
import { findImage } from './find-image.ts';

/** Removes all names of an image, which makes the engine remove the image. Succeeds if the image doesn't exist. */
export async function removeImage(
  ctx: Context,
  dependencies: DockershimDependencies,
  { image }: RemoveImageRequest,
): Promise<RemoveImageResponse> {
  if (!image?.image) throw new CriError('InvalidArgument', 'image removal needs an image');
  const found = await findImage(ctx, dependencies, image.image);
  if (!found) return {};
  await requireUnused(ctx, dependencies, found.Id);
  await dependencies.imageVolumes.remove(ctx, found.Id);
  try {
    for (const ref of [...found.RepoTags, ...found.RepoDigests, found.Id]) {
      await dependencies.docker.removeImage(ctx, { ref }).catch((error: unknown) => {
        if (!isNotFound(error) && !/unrecognized image ID/i.test(String(error))) throw error;
      });
    }
  } finally {
    dependencies.imageNames.forgetAll();
  }
  return {};
}

/**
 * Throws if a container uses the image. Without this check, the engine would remove all names but the last before it
 * rejects the request.
 */
async function requireUnused(ctx: Context, dependencies: DockershimDependencies, id: string): Promise<void> {
  const containers = await dependencies.docker.listContainers(ctx, { all: true, filters: { ancestor: [id] } });
  const user = containers.find(({ ImageID }) => ImageID === id);
  if (user) throw new CriError('FailedPrecondition', `image ${id} is in use by container ${user.Id}`);
}
