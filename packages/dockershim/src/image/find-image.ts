/** Finding an image by whatever names it: full id, bare or short hex, name, name:tag, name@digest. */
import { ImageReferenceError, parseImageReference } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { ImageInspect } from '../docker/schemas.ts';
import type { Shim } from '../shim.ts';

const hexPattern = /^(?:sha256:)?[0-9a-f]+$/;
const fullIdLength = 64;

/** The reference as the engine takes it: of tag and digest it wants one, and the digest says more. */
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

/** An engine takes the beginning of an id for a name: what it found must bear the name, if it was one. */
function bearsName(image: ImageInspect, reference: string): boolean {
  const hex = reference.replace('sha256:', '');
  if (hexPattern.test(reference) && image.Id.startsWith(`sha256:${hex}`)) return true;
  if (hex.length === fullIdLength && hexPattern.test(reference)) return false;
  const { tag = 'latest', digest, name } = parseImageReference(reference);
  if (digest) return image.Id === digest || image.RepoDigests.some((each) => each.endsWith(`@${digest}`));
  return image.RepoTags.some((each) => parseImageReference(each).normalized === `${name}:${tag}`);
}

/** The image, or undefined. Upstream: InspectImageByRef and ByID (libdocker, v1.20), which each take a part of these. */
export async function findImage(shim: Pick<Shim, 'docker'>, ctx: Context, ref: string): Promise<ImageInspect | undefined> {
  const reference = engineReference(ref);
  if (!reference) return undefined;
  try {
    const image = await shim.docker.inspectImage(ctx, { ref: reference });
    return bearsName(image, reference) ? image : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
