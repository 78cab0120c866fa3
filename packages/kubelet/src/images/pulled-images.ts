/**
 * Records which images this node pulled. Images of other users of the engine are never deleted. The names are stored in
 * a file to survive restarts.
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
  /** Names that were requested while absent. */
  readonly #absent = new Set<string>();
  #saving: Promise<void> = Promise.resolve();

  /** @param file the file with the names */
  constructor(os: OSInterface, file: string) {
    this.#os = os;
    this.#file = file;
  }

  /** Reads the names of an earlier kubelet. An unreadable file counts as empty, so nothing in it is deleted. */
  async load(): Promise<void> {
    const content = await this.#os.readFile(this.#file).catch(() => undefined);
    if (!content) return;
    try {
      const names: unknown = JSON.parse(new TextDecoder().decode(content));
      if (Array.isArray(names)) for (const name of names) if (typeof name === 'string') this.#names.add(name);
    } catch {
      // The file was written partially.
    }
  }

  /** True when the image has a name and this node pulled all of its names. */
  owns(names: readonly string[]): boolean {
    return names.length > 0 && names.every((name) => this.#names.has(name));
  }

  /** Forgets a deleted image: another user of the engine may pull it next. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#names.delete(name);
    this.#save();
  }

  /** Returns the service with pulls recorded: an absent image that is pulled belongs to this node. */
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
