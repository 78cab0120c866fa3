/** Implements the two image lookups of v1.20. Upstream: InspectImageByRef, InspectImageByID (libdocker, v1.20). */
import { ImageReferenceError, parseImageReference } from '@podscope/base';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../../docker/error.ts';
import type { DockerClient } from '../../docker/port.ts';
import type { ImageInspect } from '../../docker/schemas.ts';

/** Finds images. Both functions throw {@link ImageNotFoundError}. */
export interface ImageLookups {
  /** Finds an image by name, tag or manifest digest, but not by its id. */
  byRef(ctx: Context, ref: string): Promise<ImageInspect>;
  /** Finds an image by its full id only. */
  byID(ctx: Context, id: string): Promise<ImageInspect>;
}

/** The error for a missing image. Its text depends on the engine, so callers check the type. */
export class ImageNotFoundError extends CriError {
  constructor(ref: string, options?: ErrorOptions) {
    super('NotFound', `no such image: ${goQuote(ref)}`, options);
  }
}

/** Returns true if the reference is a name of the image. The engine would also accept an id or a short id. */
function bearsReference(image: ImageInspect, ref: string): boolean {
  let reference: ReturnType<typeof parseImageReference>;
  try {
    reference = parseImageReference(ref);
  } catch (error) {
    if (error instanceof ImageReferenceError) return false;
    throw error;
  }
  const { tag, digest } = reference;
  if (!tag && !digest) return true;
  if (
    tag &&
    image.RepoTags.some(
      (each) =>
        ref.endsWith(each) || each.endsWith(ref) || ref.endsWith(normalized(each)) || normalized(each).endsWith(ref),
    )
  )
    return true;
  return digest !== undefined && (image.Id === digest || image.RepoDigests.some((each) => each.endsWith(`@${digest}`)));
}

const normalized = (name: string): string => {
  try {
    return parseImageReference(name).normalized;
  } catch {
    return name;
  }
};

function bearsID(image: ImageInspect, id: string): boolean {
  if (image.Id === id) return true;
  try {
    return parseImageReference(id).digest === image.Id;
  } catch {
    return false;
  }
}

/** Returns the two lookups for an engine. */
export function imageLookups(docker: DockerClient): ImageLookups {
  const inspect = async (ctx: Context, ref: string, bears: typeof bearsID): Promise<ImageInspect> => {
    const image = await docker.inspectImage(ctx, { ref }).catch((cause: unknown) => {
      throw isNotFound(cause) ? new ImageNotFoundError(ref, { cause }) : cause;
    });
    if (!bears(image, ref)) throw new ImageNotFoundError(ref);
    return image;
  };
  return { byRef: (ctx, ref) => inspect(ctx, ref, bearsReference), byID: (ctx, id) => inspect(ctx, id, bearsID) };
}
