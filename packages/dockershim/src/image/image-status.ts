/** Implements ImageStatus and ListImages. Upstream: dockershim docker_image.go (v1.20). */
import {
  CriError,
  type Image,
  type ImageStatusRequest,
  type ImageStatusResponse,
  type ListImagesRequest,
  type ListImagesResponse,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { ImageInspect, ImageSummary } from '../docker/schemas.ts';
import { findImage } from './find-image.ts';

/**
 * Returns the image; an empty response if it doesn't exist.
 * @throws CriError InvalidArgument if the request names no image
 */
export async function imageStatus(
  ctx: Context,
  dependencies: DockershimDependencies,
  { image, verbose }: ImageStatusRequest,
): Promise<ImageStatusResponse> {
  if (!image?.image) throw new CriError('InvalidArgument', 'image status needs an image');
  const found = await findImage(ctx, dependencies, image.image);
  if (!found) return {};
  const status = { ...toImage(dependencies, found), ...imageUser(found.Config.User) };
  if (!verbose) return { image: status };
  const info = { labels: found.Config.Labels, architecture: found.Architecture, os: found.Os };
  return { image: status, info: { info: JSON.stringify(info) } };
}

/** Returns all images, or only the one that the filter names. */
export async function listImages(
  ctx: Context,
  dependencies: DockershimDependencies,
  { filter }: ListImagesRequest,
): Promise<ListImagesResponse> {
  const wanted = filter?.image?.image;
  if (wanted) {
    const found = await findImage(ctx, dependencies, wanted);
    return { images: found ? [{ ...toImage(dependencies, found), ...imageUser(found.Config.User) }] : [] };
  }
  const summaries = await dependencies.docker.listImages(ctx, { filters: {} });
  return { images: summaries.map((summary) => toImage(dependencies, summary)) };
}

const isNamed = (name: string): boolean => !name.startsWith('<none>');

function toImage(
  dependencies: DockershimDependencies,
  { Id, RepoTags, RepoDigests, Size }: ImageInspect | ImageSummary,
): Image {
  const { sandboxImage, sandboxImageFallback } = dependencies.options;
  // The sandbox image is pinned, so that the kubelet doesn't remove it to free disk space.
  const pinned = RepoTags.some((tag) => tag === sandboxImage || tag === sandboxImageFallback?.image);
  return { id: Id, repoTags: RepoTags.filter(isNamed), repoDigests: RepoDigests.filter(isNamed), size: Size, pinned };
}

/**
 * Returns the user of `user[:group]` as a number or a name. Upstream: getUserFromImageUser (dockershim helpers.go,
 * v1.20).
 */
function imageUser(text: string): Pick<Image, 'uid' | 'username'> {
  const [user = ''] = text.split(':', 1);
  if (!user) return {};
  return /^\d+$/.test(user) ? { uid: { value: Number(user) } } : { username: user };
}
