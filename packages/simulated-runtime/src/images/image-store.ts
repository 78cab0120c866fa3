/** Stores the images of a node. */
import { hexDigest, type ImageReference, readImageReference } from '@podscope/base';
import type { Image } from '@podscope/cri';
import type { ImageDefinition } from './catalog.ts';

/** An image that is present. */
export interface StoredImage {
  /** The image id, in the form `sha256:<64 hex digits>`. */
  readonly id: string;
  readonly definition: ImageDefinition;
  readonly repoTags: Set<string>;
  readonly repoDigests: Set<string>;
}

/**
 * Returns the image of a container's status: the id, or in v1.20 the digest or id with dockershim's prefix. Upstream:
 * toPullableImageID (dockershim convert.go, v1.20).
 */
export function imageRefOf({ id, repoDigests }: StoredImage, release: 'v1.36' | 'v1.20'): string {
  if (release === 'v1.36') return id;
  const [digest] = repoDigests;
  return digest === undefined ? `docker://${id}` : `docker-pullable://${digest}`;
}

/** How many times larger an unpacked layer is than a compressed one. */
const unpackedRatio = 2.5;

/** Returns the reference as Docker lists it: with its digest; without a digest, with its tag (default: `latest`). */
export const tagged = (reference: ImageReference): string =>
  reference.digest && !reference.tag
    ? `${reference.familiarName}@${reference.digest}`
    : `${reference.familiarName}:${reference.tag ?? 'latest'}`;

/**
 * Returns the tag or digest that identifies an image within its repository. Each tag is a different image, unless the
 * definition has `isSameForAllTags`.
 */
const versionOf = (reference: ImageReference, { isSameForAllTags }: ImageDefinition): string =>
  reference.digest ?? (isSameForAllTags ? 'all' : (reference.tag ?? 'latest'));

/** Returns the size of an image on disk in bytes. */
export const sizeOf = (definition: ImageDefinition): number =>
  Math.round(definition.layers.reduce((sum, layer) => sum + layer, 0) * unpackedRatio);

/** Returns the ids of an image's layers. A layer that several images share has the same id in each. */
export function layerIds(name: string, definition: ImageDefinition): string[] {
  // The id of a base layer is computed from its size, so images whose first layers have the same size share it.
  return definition.layers.map((size, index) =>
    hexDigest(index === 0 && definition.layers.length > 1 ? `base ${size}` : `${name} ${index} ${size}`, 12),
  );
}

export class ImageStore {
  readonly #images = new Map<string, StoredImage>();

  /** Adds an image under a reference and returns the stored image. */
  add(reference: ImageReference, definition: ImageDefinition): StoredImage {
    const version = versionOf(reference, definition);
    const id = `sha256:${hexDigest(`image ${reference.path} ${version}`)}`;
    const stored = this.#images.get(id) ?? {
      id,
      definition,
      repoTags: new Set<string>(),
      repoDigests: new Set<string>(),
    };
    this.#images.set(id, stored);
    stored.repoDigests.add(
      `${reference.familiarName}@${reference.digest ?? `sha256:${hexDigest(`manifest ${reference.path} ${version}`)}`}`,
    );
    if (reference.tag !== undefined || reference.digest === undefined) {
      const tag = tagged({ ...reference, digest: undefined });
      for (const other of this.#images.values()) if (other !== stored) other.repoTags.delete(tag);
      stored.repoTags.add(tag);
    }
    return stored;
  }

  /** Finds an image by id (full, short or without prefix), name, tag or digest. Returns undefined if none matches. */
  find(text: string): StoredImage | undefined {
    const hex = /^(?:sha256:)?([0-9a-f]{12,64})$/.exec(text)?.[1];
    if (hex !== undefined) {
      const found = [...this.#images.values()].filter(({ id }) => id.startsWith(`sha256:${hex}`));
      if (found.length === 1) return found[0];
    }
    const reference = readImageReference(text);
    if (!reference) return undefined;
    const images = [...this.#images.values()];
    const { digest } = reference;
    if (digest)
      return images.find(
        (image) => image.id === digest || [...image.repoDigests].some((known) => known.endsWith(`@${digest}`)),
      );
    return images.find((image) => image.repoTags.has(tagged(reference)));
  }

  remove(image: StoredImage): void {
    this.#images.delete(image.id);
  }

  list(): readonly StoredImage[] {
    return [...this.#images.values()];
  }

  /** Returns whether any stored image has the layer. */
  hasLayer(layer: string): boolean {
    return this.list().some((image) => layerIds(nameOf(image), image.definition).includes(layer));
  }
}

/** Returns the repository of an image. */
const nameOf = (image: StoredImage): string => [...image.repoDigests][0]?.split('@')[0] ?? image.id;

/** Returns the image as a CRI message. */
export function toImage(image: StoredImage, pinned: boolean): Image {
  const [user] = (image.definition.user ?? '').split(':');
  return {
    id: image.id,
    repoTags: [...image.repoTags],
    repoDigests: [...image.repoDigests],
    size: sizeOf(image.definition),
    ...(user && (/^\d+$/.test(user) ? { uid: { value: Number(user) } } : { username: user })),
    ...(pinned && { pinned }),
  };
}
