/** The images a node has. */
import type { Image } from '@podscope/cri';
import { hexDigest } from '../random.ts';
import type { ImageDefinition } from './catalog.ts';
import { type ImageReference, parseReference, tagged } from './reference.ts';

/** An image that is present. */
export interface StoredImage {
  /** `sha256:<64 hex digits>`. */
  readonly id: string;
  readonly definition: ImageDefinition;
  readonly repoTags: Set<string>;
  readonly repoDigests: Set<string>;
}

/** Layers are stored unpacked: about this many times their size on the wire. */
const unpackedRatio = 2.5;

/** What a version of a repository is told apart by: two tags of one image are two versions. */
const versionOf = (reference: ImageReference): string => reference.digest ?? reference.tag ?? 'latest';

/** Size on disk, in bytes. */
export const sizeOf = (definition: ImageDefinition): number => Math.round(definition.layers.reduce((sum, layer) => sum + layer, 0) * unpackedRatio);

/** The id of a layer, the same wherever the same layer is used. */
export function layerIds(name: string, definition: ImageDefinition): string[] {
  // The base of an image is told by its size: images that share one have the same first layer.
  return definition.layers.map((size, index) => hexDigest(index === 0 && definition.layers.length > 1 ? `base ${size}` : `${name} ${index} ${size}`, 12));
}

export class ImageStore {
  readonly #images = new Map<string, StoredImage>();

  /** Adds an image under a reference; answers the one that is there then. */
  add(reference: ImageReference, definition: ImageDefinition): StoredImage {
    const id = `sha256:${hexDigest(`image ${reference.path} ${versionOf(reference)}`)}`;
    const stored = this.#images.get(id) ?? { id, definition, repoTags: new Set<string>(), repoDigests: new Set<string>() };
    this.#images.set(id, stored);
    stored.repoDigests.add(`${reference.familiarName}@${reference.digest ?? `sha256:${hexDigest(`manifest ${reference.path} ${versionOf(reference)}`)}`}`);
    if (reference.tag !== undefined || reference.digest === undefined) {
      const tag = tagged({ ...reference, digest: undefined });
      for (const other of this.#images.values()) if (other !== stored) other.repoTags.delete(tag);
      stored.repoTags.add(tag);
    }
    return stored;
  }

  /** Finds an image by id (also shortened or bare), name, tag or digest. */
  find(text: string): StoredImage | undefined {
    const hex = /^(?:sha256:)?([0-9a-f]{12,64})$/.exec(text)?.[1];
    if (hex !== undefined) {
      const found = [...this.#images.values()].filter(({ id }) => id.startsWith(`sha256:${hex}`));
      if (found.length === 1) return found[0];
    }
    const reference = parseReference(text);
    if (!reference) return undefined;
    const images = [...this.#images.values()];
    const { digest } = reference;
    if (digest) return images.find((image) => image.id === digest || [...image.repoDigests].some((known) => known.endsWith(`@${digest}`)));
    return images.find((image) => image.repoTags.has(tagged(reference)));
  }

  remove(image: StoredImage): void {
    this.#images.delete(image.id);
  }

  list(): readonly StoredImage[] {
    return [...this.#images.values()];
  }

  /** True when some image here has the layer. */
  hasLayer(layer: string): boolean {
    return this.list().some((image) => layerIds(nameOf(image), image.definition).includes(layer));
  }
}

/** The repository an image came from. */
const nameOf = (image: StoredImage): string => [...image.repoDigests][0]?.split('@')[0] ?? image.id;

/** The image as CRI tells it. */
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
