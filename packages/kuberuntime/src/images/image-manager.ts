/**
 * Implements back-off, ordering and recording of image pulls. Upstream: pkg/kubelet/images/image_manager.go (v1.36).
 */
import { asError } from '@podscope/base';
import type { ImageService, PodSandboxConfig } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import { type Clock, type Context, isInterrupted, type Milliseconds } from '@podscope/trace';
import { Backoff } from '../flowcontrol/backoff.ts';
import type { RuntimeGates } from '../profiles/gates.ts';
import type { EventRecorder } from '../runtime.ts';
import { aggregateErrors } from '../util/errors.ts';
import type { Credential } from './credentials.ts';
import { ImagePullRecords } from './pull-records.ts';
import { type ImagePullOptions, newPuller, type Puller } from './puller.ts';
import { TokenBucket } from './token-bucket.ts';

const initialBackOff: Milliseconds = 10_000;
const maxBackOff: Milliseconds = 300_000;

/** The result of a successful pull. */
export interface PullResult {
  readonly imageRef: string;
  /** The image size in bytes, or 0 if unknown. */
  readonly size: number;
  /** The credential with which the pull succeeded; undefined if it needed none. */
  readonly credential: Credential | undefined;
  /** The duration in ms, without the wait for other pulls. */
  readonly duration: Milliseconds;
}

export interface PullRequest {
  readonly image: string;
  readonly credentials: readonly Credential[];
  readonly sandboxConfig: PodSandboxConfig;
  /** Whether to request the image's size after the pull. */
  readonly wantsSize: boolean;
}

export interface ImageManagerDependencies {
  readonly images: ImageService;
  readonly recorder: EventRecorder;
  readonly gates: RuntimeGates;
  readonly pulls?: ImagePullOptions;
}

/** Manages the images of a node. All pods share one manager. */
export class ImageManager {
  readonly images: ImageService;
  readonly recorder: EventRecorder;
  readonly gates: RuntimeGates;
  readonly records = new ImagePullRecords();
  /** The text of the last error by back-off key. */
  readonly previousErrors = new Map<string, string>();
  readonly #puller: Puller;
  readonly #limiter: TokenBucket | undefined;
  #backOff: Backoff | undefined;

  constructor({ images, recorder, gates, pulls = {} }: ImageManagerDependencies) {
    this.images = images;
    this.recorder = recorder;
    this.gates = gates;
    this.#puller = newPuller(pulls);
    const { qps = 5, burst = 10 } = pulls;
    this.#limiter = qps > 0 ? new TokenBucket(qps, burst) : undefined;
  }

  /** Returns the back-off of failed pulls. Its keys are `<pod UID>_<image as in the spec>`. */
  backOff(clock: Clock): Backoff {
    this.#backOff ??= new Backoff(clock, { initial: initialBackOff, max: maxBackOff });
    return this.#backOff;
  }

  /** Returns the entries of the pull back-off, for display in the page. */
  peekBackOff(): ReadonlyMap<string, unknown> {
    return this.#backOff?.entries() ?? new Map();
  }

  /** Records an event about a container, or about the pod if no container is given. */
  event(
    ctx: Context,
    pod: Pod,
    container: Container | undefined,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    this.recorder.event(ctx, pod, type, reason, message, container);
  }

  /** Returns the id of a present image, or an empty string. Upstream: GetImageRef. */
  async getImageRef(ctx: Context, image: string): Promise<string> {
    const { image: found } = await this.images.imageStatus(ctx, { image: { image } });
    return found?.id ?? '';
  }

  /**
   * Pulls an image once earlier pulls allow it.
   * @throws Error that contains the errors of all credentials
   */
  pull(ctx: Context, request: PullRequest): Promise<PullResult> {
    return this.#puller.run(async (slot) => {
      const start = ctx.clock.now();
      const { imageRef, credential } = await this.#pullWithCredentials({ ...ctx, slot }, request);
      const size = request.wantsSize && imageRef !== '' ? await this.#imageSize(ctx, request.image) : 0;
      return { imageRef, credential, size, duration: ctx.clock.now() - start };
    });
  }

  async #pullWithCredentials(
    ctx: Context,
    { image, credentials, sandboxConfig }: PullRequest,
  ): Promise<Pick<PullResult, 'imageRef' | 'credential'>> {
    const errors: Error[] = [];
    for (const credential of credentials.length > 0 ? credentials : [undefined]) {
      try {
        if (this.#limiter && !this.#limiter.tryAccept(ctx.clock)) throw new Error('pull QPS exceeded');
        const auth = credential && { username: credential.username, password: credential.password };
        const { imageRef } = await this.images.pullImage(ctx, {
          image: { image },
          ...(auth ? { auth } : {}),
          sandboxConfig,
        });
        return { imageRef, credential };
      } catch (error) {
        if (isInterrupted(error)) throw error;
        errors.push(asError(error));
      }
    }
    throw errors.length === 1 ? errors[0] : aggregateErrors(errors);
  }

  /** Returns the size of an image, or 0 if it is unknown. */
  async #imageSize(ctx: Context, image: string): Promise<number> {
    try {
      return (await this.images.imageStatus(ctx, { image: { image } })).image?.size ?? 0;
    } catch {
      return 0;
    }
  }
}
