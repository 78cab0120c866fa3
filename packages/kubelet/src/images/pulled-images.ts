/**
 * Records which images this node pulled, because images of other users of the engine are never deleted. The names are
 * stored in a file and survive restarts.
 */
import type {
  ImageService,
  ImageStatusRequest,
  ImageStatusResponse,
  PullImageRequest,
  PullImageResponse,
} from '@podscope/cri';
import type { OSInterface } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';

/** Records the images pulled through an image service. */
export class PulledImages {
  readonly #os: OSInterface;
  readonly #file: string;
  readonly #names = new Set<string>();
  /** Image names that were requested while the image was absent. */
  readonly #absent = new Set<string>();
  #saving: Promise<void> = Promise.resolve();

  /** @param file the path of the file that stores the names */
  constructor(os: OSInterface, file: string) {
    this.#os = os;
    this.#file = file;
  }

  /**
   * Reads the names that an earlier kubelet stored. An unreadable file counts as empty, so none of its images are
   * deleted.
   */
  async load(): Promise<void> {
    const content = await this.#os.readFile(this.#file).catch(() => undefined);
    if (!content) return;
    try {
      const names: unknown = JSON.parse(new TextDecoder().decode(content));
      if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') this.#names.add(name);
    } catch {
      // The file is incomplete, so it counts as empty.
    }
  }

  /** True when the image has at least one name and this node pulled all its names. */
  owns(names: readonly string[]): boolean {
    return names.length > 0 && names.every((name) => this.#names.has(name));
  }

  /** Removes the names of a deleted image, because another user of the engine may pull it next. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#names.delete(name);
    this.#save();
  }

  /** Wraps an image service and records its pulls: an image that was absent before its pull belongs to this node. */
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
    // The engine may list the image by a longer name than the one in the pod's spec.
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
