/**
 * Implements ImageStatus, ListImages, PullImage and RemoveImage of v1.20. Upstream: dockershim docker_image.go (v1.20).
 */
import {
  CriError,
  type Image,
  type ImageStatusRequest,
  type ImageStatusResponse,
  type ListImagesRequest,
  type ListImagesResponse,
  type PullImageRequest,
  type PullImageResponse,
  type RemoveImageRequest,
  type RemoveImageResponse,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { DockerError, isNotFound } from '../../docker/error.ts';
import type { ImageInspect, ImageSummary } from '../../docker/schemas.ts';
import type { DockershimDependenciesV120 } from '../../service/v1-20/dependencies.ts';
import { pullReference } from '../pull-image.ts';
import { ImageNotFoundError } from './image-lookups.ts';

const toImage = ({ Id, RepoTags, RepoDigests, VirtualSize, Size }: ImageInspect | ImageSummary): Image => ({
  id: Id,
  repoTags: RepoTags,
  repoDigests: RepoDigests,
  // Newer engines don't send VirtualSize, so Size is used.
  size: VirtualSize || Size,
});

/**
 * Returns the user of `user[:group]` as a number or a name. Upstream: getUserFromImageUser (dockershim helpers.go,
 * v1.20).
 */
function userOf(text: string): Pick<Image, 'uid' | 'username'> {
  const [user = ''] = text.split(':', 1);
  if (user === '') return {};
  return /^[+-]?\d+$/.test(user) ? { uid: { value: Number(user) } } : { username: user };
}

/** Finds an image by reference; if that fails, by id. Returns undefined if the image doesn't exist. */
async function find(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  image: string,
): Promise<ImageInspect | undefined> {
  try {
    return await dependencies.images.byRef(ctx, image);
  } catch (error) {
    if (!(error instanceof ImageNotFoundError)) throw error;
  }
  try {
    return await dependencies.images.byID(ctx, image);
  } catch (error) {
    if (error instanceof ImageNotFoundError) return undefined;
    throw error;
  }
}

/** Returns the image; an empty response if it doesn't exist. */
export async function imageStatus(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { image }: ImageStatusRequest,
): Promise<ImageStatusResponse> {
  if (!image) throw new CriError('InvalidArgument', 'image status needs an image');
  const found = await find(ctx, dependencies, image.image);
  return found ? { image: { ...toImage(found), ...userOf(found.Config.User) } } : {};
}

/** Returns all images, or only the one that the filter names. */
export async function listImages(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { filter }: ListImagesRequest,
): Promise<ListImagesResponse> {
  const reference = filter?.image?.image;
  const summaries = await dependencies.docker.listImages(ctx, { filters: reference ? { reference: [reference] } : {} });
  return { images: summaries.map(toImage) };
}

const unavailable: ReadonlySet<number> = new Set([502, 503, 504]);

/** Pulls an image. Returns its first repository digest, or its id if it has no digest. */
export async function pullImage(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { image, auth }: PullImageRequest,
): Promise<PullImageResponse> {
  if (!image) throw new CriError('InvalidArgument', 'image pull needs an image');
  // v1.20 ignores the encoded credentials in `auth`.
  const { auth: _encoded, ...credentials } = auth ?? {};
  await pullReference(ctx, dependencies, image, credentials).catch((error: unknown) => {
    // A gateway answers with an HTML page that doesn't explain the failure, so the error gets the prefix
    // RegistryUnavailable.
    if (error instanceof DockerError && unavailable.has(error.status ?? 0))
      throw new CriError('Unknown', `RegistryUnavailable: ${error.message}`, { cause: error });
    throw error;
  });
  const found = await dependencies.images.byRef(ctx, image.image);
  return { imageRef: found.RepoDigests[0] ?? found.Id };
}

/** Removes an image by its full id. An image named in another way isn't removed. */
export async function removeImage(
  ctx: Context,
  dependencies: DockershimDependenciesV120,
  { image }: RemoveImageRequest,
): Promise<RemoveImageResponse> {
  if (!image) throw new CriError('InvalidArgument', 'image removal needs an image');
  let found: ImageInspect;
  try {
    found = await dependencies.images.byID(ctx, image.image);
  } catch (error) {
    if (error instanceof ImageNotFoundError) return {};
    throw error;
  }
  try {
    for (const ref of [...found.RepoTags, ...found.RepoDigests, image.image]) {
      await dependencies.docker.removeImage(ctx, { ref }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  } finally {
    dependencies.imageNames.forgetAll();
  }
  return {};
}
