/**
 * Finds an image by any name: full id, bare or abbreviated hex digits, name, name:tag, name@digest. Upstream:
 * InspectImageByRef and InspectImageByID (libdocker, v1.20), each of which accepts some of these.
 */
import { ImageReferenceError, parseImageReference } from '@podscope/base';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound, lacksLayers } from '../docker/error.ts';
import type { ImageInspect } from '../docker/schemas.ts';

const hexPattern = /^(?:sha256:)?[0-9a-f]+$/;
const fullIdLength = 64;

/**
 * Returns the reference as the engine expects it: if it has a tag and a digest, without the tag. Returns undefined for
 * an invalid reference.
 */
function engineReference(ref: string): string | undefined {
  if (hexPattern.test(ref)) return ref;
  try {
    const { familiarName, tag, digest } = parseImageReference(ref);
    return digest ? `${familiarName}@${digest}` : tag ? `${familiarName}:${tag}` : familiarName;
  } catch (error) {
    if (error instanceof ImageReferenceError) return undefined;
    throw error;
  }
}

/** Returns true if the image has the requested name. The engine also finds an image whose id begins with the name. */
function bearsName(image: ImageInspect, reference: string): boolean {
  const hex = reference.replace('sha256:', '');
  if (hexPattern.test(reference) && image.Id.startsWith(`sha256:${hex}`)) return true;
  if (hex.length === fullIdLength && hexPattern.test(reference)) return false;
  const { tag = 'latest', digest, name } = parseImageReference(reference);
  if (digest) return image.Id === digest || image.RepoDigests.some((each) => each.endsWith(`@${digest}`));
  return image.RepoTags.some((each) => parseImageReference(each).normalized === `${name}:${tag}`);
}

/** Returns the image with this name; undefined if it doesn't exist. */
export async function findImage(
  ctx: Context,
  dependencies: Pick<DockershimDependencies, 'docker'>,
  ref: string,
): Promise<ImageInspect | undefined> {
  const reference = engineReference(ref);
  if (!reference) return undefined;
  try {
    const image = await dependencies.docker.inspectImage(ctx, { ref: reference });
    return bearsName(image, reference) ? image : undefined;
  } catch (error) {
    if (isNotFound(error) || lacksLayers(error)) return undefined;
    throw error;
  }
}
