/** ImageStatus and ListImages. */
import { CriError, type Image, type ImageStatusRequest, type ImageStatusResponse, type ListImagesRequest, type ListImagesResponse } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { ImageInspect, ImageSummary } from '../docker/schemas.ts';
import type { Shim } from '../shim.ts';
import { findImage } from './find-image.ts';

/** An image that is not here is an empty answer. Upstream: ImageStatus (dockershim docker_image.go, v1.20). */
export async function imageStatus(shim: Shim, ctx: Context, { image, verbose }: ImageStatusRequest): Promise<ImageStatusResponse> {
  if (!image?.image) throw new CriError('InvalidArgument', 'image status needs an image');
  const found = await findImage(shim, ctx, image.image);
  if (!found) return {};
  const status = { ...toImage(shim, found), ...imageUser(found.Config.User) };
  if (!verbose) return { image: status };
  const info = { labels: found.Config.Labels, architecture: found.Architecture, os: found.Os };
  return { image: status, info: { info: JSON.stringify(info) } };
}

/** Upstream: ListImages (dockershim docker_image.go, v1.20). */
export async function listImages(shim: Shim, ctx: Context, { filter }: ListImagesRequest): Promise<ListImagesResponse> {
  const wanted = filter?.image?.image;
  if (wanted) {
    const found = await findImage(shim, ctx, wanted);
    return { images: found ? [{ ...toImage(shim, found), ...imageUser(found.Config.User) }] : [] };
  }
  const summaries = await shim.docker.listImages(ctx, { filters: {} });
  return { images: summaries.map((summary) => toImage(shim, summary)) };
}

const isNamed = (name: string): boolean => !name.startsWith('<none>');

function toImage(shim: Shim, { Id, RepoTags, RepoDigests, Size }: ImageInspect | ImageSummary): Image {
  const { sandboxImage, sandboxImageFallback } = shim.options;
  // Sandboxes need it: the caller's garbage collection must leave it alone.
  const pinned = RepoTags.some((tag) => tag === sandboxImage || tag === sandboxImageFallback?.image);
  return { id: Id, repoTags: RepoTags.filter(isNamed), repoDigests: RepoDigests.filter(isNamed), size: Size, pinned };
}

/** Upstream: getUserFromImageUser (dockershim helpers.go, v1.20). */
function imageUser(text: string): Pick<Image, 'uid' | 'username'> {
  const [user = ''] = text.split(':', 1);
  if (!user) return {};
  return /^\d+$/.test(user) ? { uid: { value: Number(user) } } : { username: user };
}
