/** ImageStatus, ListImages, PullImage and RemoveImage of v1.20. */
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
import { DockerError, isNotFound } from '../docker/error.ts';
import type { ImageInspect, ImageSummary } from '../docker/schemas.ts';
import { pullReference } from '../image/pull-image.ts';
import { ImageNotFoundError } from './image-lookups.ts';
import type { ShimV120 } from './shim.ts';

const toImage = ({ Id, RepoTags, RepoDigests, VirtualSize, Size }: ImageInspect | ImageSummary): Image => ({
  id: Id,
  repoTags: RepoTags,
  repoDigests: RepoDigests,
  // Newer engines no longer tell the first.
  size: VirtualSize || Size,
});

/** Upstream: getUserFromImageUser (dockershim helpers.go, v1.20). */
function userOf(text: string): Pick<Image, 'uid' | 'username'> {
  const [user = ''] = text.split(':', 1);
  if (user === '') return {};
  return /^[+-]?\d+$/.test(user) ? { uid: { value: Number(user) } } : { username: user };
}

/** By reference, then by id. */
async function find(shim: ShimV120, ctx: Context, image: string): Promise<ImageInspect | undefined> {
  try {
    return await shim.images.byRef(ctx, image);
  } catch (error) {
    if (!(error instanceof ImageNotFoundError)) throw error;
  }
  try {
    return await shim.images.byID(ctx, image);
  } catch (error) {
    if (error instanceof ImageNotFoundError) return undefined;
    throw error;
  }
}

/** Upstream: ImageStatus (dockershim docker_image.go, v1.20). */
export async function imageStatus(shim: ShimV120, ctx: Context, { image }: ImageStatusRequest): Promise<ImageStatusResponse> {
  if (!image) throw new CriError('InvalidArgument', 'image status needs an image');
  const found = await find(shim, ctx, image.image);
  return found ? { image: { ...toImage(found), ...userOf(found.Config.User) } } : {};
}

/** Upstream: ListImages (dockershim docker_image.go, v1.20). */
export async function listImages(shim: ShimV120, ctx: Context, { filter }: ListImagesRequest): Promise<ListImagesResponse> {
  const reference = filter?.image?.image;
  const summaries = await shim.docker.listImages(ctx, { filters: reference ? { reference: [reference] } : {} });
  return { images: summaries.map(toImage) };
}

const unavailable: ReadonlySet<number> = new Set([502, 503, 504]);

/** Upstream: PullImage (dockershim docker_image.go, v1.20). */
export async function pullImage(shim: ShimV120, ctx: Context, { image, auth }: PullImageRequest): Promise<PullImageResponse> {
  if (!image) throw new CriError('InvalidArgument', 'image pull needs an image');
  // Its encoded form was not read.
  const { auth: _encoded, ...credentials } = auth ?? {};
  await pullReference(shim, ctx, image, credentials).catch((error: unknown) => {
    // A gateway's page says nothing: that the registry is away does.
    if (error instanceof DockerError && unavailable.has(error.status ?? 0))
      throw new CriError('Unknown', `RegistryUnavailable: ${error.message}`, { cause: error });
    throw error;
  });
  const found = await shim.images.byRef(ctx, image.image);
  return { imageRef: found.RepoDigests[0] ?? found.Id };
}

/** Upstream: RemoveImage (dockershim docker_image.go, v1.20): only what is named by its id. */
export async function removeImage(shim: ShimV120, ctx: Context, { image }: RemoveImageRequest): Promise<RemoveImageResponse> {
  if (!image) throw new CriError('InvalidArgument', 'image removal needs an image');
  let found: ImageInspect;
  try {
    found = await shim.images.byID(ctx, image.image);
  } catch (error) {
    if (error instanceof ImageNotFoundError) return {};
    throw error;
  }
  try {
    for (const ref of [...found.RepoTags, ...found.RepoDigests, image.image]) {
      await shim.docker.removeImage(ctx, { ref }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  } finally {
    shim.imageNames.forgetAll();
  }
  return {};
}
