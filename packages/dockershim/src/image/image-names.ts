/** Caches the names of images by image id. Containers are inspected far more often than images are renamed. */
import type { Context, Instant } from '@podscope/trace';
import { isNotFound, lacksLayers } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';

const freshMs = 10_000;

/** Caches names for a limited time. */
export class ImageNames {
  readonly #docker: DockerClient;
  readonly #names = new Map<string, { readonly name: string | undefined; readonly at: Instant }>();

  constructor(docker: DockerClient) {
    this.#docker = docker;
  }

  /** Returns the image's first tag; undefined for an image that is missing or has no tag. */
  async lookUp(ctx: Context, id: string): Promise<string | undefined> {
    const now = ctx.clock.now();
    const known = this.#names.get(id);
    if (known && now - known.at < freshMs) return known.name;
    const image = await this.#docker.inspectImage(ctx, { ref: id }).catch((error: unknown) => {
      if (isNotFound(error) || lacksLayers(error)) return undefined;
      throw error;
    });
    const name = image?.RepoTags[0];
    this.#names.set(id, { name, at: now });
    return name;
  }

  /** Empties the cache. Called after dockershim changed an image. */
  forgetAll(): void {
    this.#names.clear();
  }
}
