/**
 * Which images this node pulled itself: those that were there before, or that others bring, are nobody's to delete. Kept in a file, so that
 * a restart does not make them strangers.
 */
import type { ImageService, ImageStatusRequest, ImageStatusResponse, PullImageRequest, PullImageResponse } from '@podscope/cri';
import type { OSInterface } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';

/** Notes what passes through an image service. */
export class PulledImages {
  readonly #os: OSInterface;
  readonly #file: string;
  readonly #names = new Set<string>();
  /** Names that were asked for and not there. */
  readonly #absent = new Set<string>();
  #saving: Promise<void> = Promise.resolve();

  /** @param file where the names are kept */
  constructor(os: OSInterface, file: string) {
    this.#os = os;
    this.#file = file;
  }

  /** Reads what an earlier kubelet pulled. A file that can't be read is as none: nothing in it is deleted. */
  async load(): Promise<void> {
    const content = await this.#os.readFile(this.#file).catch(() => undefined);
    if (!content) return;
    try {
      const names: unknown = JSON.parse(new TextDecoder().decode(content));
      if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') this.#names.add(name);
    } catch {
      // Half a file.
    }
  }

  /** True when every name of an image was pulled here, and it has one. */
  owns(names: readonly string[]): boolean {
    return names.length > 0 && names.every((name) => this.#names.has(name));
  }

  /** An image is gone: who brings it next may be another. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#names.delete(name);
    this.#save();
  }

  /** The service, watched: an image that was not there and is pulled is this node's. */
  watch(images: ImageService): ImageService {
    const observed: Pick<ImageService, 'imageStatus' | 'pullImage'> = {
      imageStatus: (ctx, request) => this.#imageStatus(ctx, images, request),
      pullImage: (ctx, request) => this.#pullImage(ctx, images, request),
    };
    return {
      ...observed,
      listImages: (ctx, request) => images.listImages(ctx, request),
      streamImages: (ctx, request) => images.streamImages(ctx, request),
      removeImage: (ctx, request) => images.removeImage(ctx, request),
      imageFsInfo: (ctx, request) => images.imageFsInfo(ctx, request),
    };
  }

  async #imageStatus(ctx: Context, images: ImageService, request: ImageStatusRequest): Promise<ImageStatusResponse> {
    const response = await images.imageStatus(ctx, request);
    const name = request.image?.image ?? '';
    if (response.image) this.#absent.delete(name);
    else this.#absent.add(name);
    return response;
  }

  async #pullImage(ctx: Context, images: ImageService, request: PullImageRequest): Promise<PullImageResponse> {
    const name = request.image?.image ?? '';
    const wasAbsent = this.#absent.has(name);
    const response = await images.pullImage(ctx, request);
    if (!wasAbsent) return response;
    this.#absent.delete(name);
    // The engine may know it by fuller names than the pod.
    const { image } = await images.imageStatus(ctx, { image: { image: name } }).catch(() => ({ image: undefined }));
    for (const tag of image?.repoTags ?? []) if (tag === name || tag.endsWith(`/${name}`)) this.#names.add(tag);
    if (image && image.repoTags.length === 0) for (const digest of image.repoDigests) this.#names.add(digest);
    this.#save();
    return response;
  }

  #save(): void {
    const text = JSON.stringify([...this.#names].toSorted());
    this.#saving = this.#saving.then(() => this.#os.writeFile(this.#file, text, 0o600)).catch(() => undefined);
  }
}
