/** What ensuring an image needs beside the request: back-off, order of pulls, records. Upstream: pkg/kubelet/images/image_manager.go (v1.36). */
import type { ImageService, PodSandboxConfig } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import { type Clock, type Context, isInterrupted, type Milliseconds } from '@podscope/trace';
import { Backoff } from '../flowcontrol/backoff.ts';
import type { RuntimeGates } from '../gates.ts';
import type { EventRecorder } from '../runtime.ts';
import { aggregateErrors, asError } from '../util/errors.ts';
import type { Credential } from './credentials.ts';
import { ImagePullRecords } from './pull-records.ts';
import { type ImagePullOptions, newPuller, type Puller } from './puller.ts';
import { TokenBucket } from './token-bucket.ts';

const initialBackOff: Milliseconds = 10_000;
const maxBackOff: Milliseconds = 300_000;

/** What a pull gave. */
export interface PullResult {
  readonly imageRef: string;
  /** 0 when it could not be had. */
  readonly size: number;
  /** The credential that was good; undefined when none was needed. */
  readonly credential: Credential | undefined;
  /** Without the wait for other pulls. */
  readonly duration: Milliseconds;
}

export interface PullRequest {
  readonly image: string;
  readonly credentials: readonly Credential[];
  readonly sandboxConfig: PodSandboxConfig;
  /** Asks for the size afterwards. */
  readonly wantsSize: boolean;
}

export interface ImageManagerDependencies {
  readonly images: ImageService;
  readonly recorder: EventRecorder;
  readonly gates: RuntimeGates;
  readonly pulls?: ImagePullOptions;
}

/** Shared by all pods of the node. */
export class ImageManager {
  readonly images: ImageService;
  readonly recorder: EventRecorder;
  readonly gates: RuntimeGates;
  readonly records = new ImagePullRecords();
  /** What went wrong last, by back-off key. */
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

  /** The back-off of failed pulls, by `<pod UID>_<image as in the spec>`. */
  backOff(clock: Clock): Backoff {
    this.#backOff ??= new Backoff(clock, { initial: initialBackOff, max: maxBackOff });
    return this.#backOff;
  }

  /** The entries of the back-off of failed pulls, for showing. */
  peekBackOff(): ReadonlyMap<string, unknown> {
    return this.#backOff?.entries() ?? new Map();
  }

  /** An event about a container, or about the pod. */
  event(ctx: Context, pod: Pod, container: Container | undefined, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.recorder.event(ctx, pod, type, reason, message, container);
  }

  /** The id of an image that is present, else empty. Upstream: GetImageRef. */
  async getImageRef(ctx: Context, image: string): Promise<string> {
    const { image: found } = await this.images.imageStatus(ctx, { image: { image } });
    return found?.id ?? '';
  }

  /** Pulls when it is this pull's turn. @throws Error, one for all credentials that were tried. */
  pull(ctx: Context, request: PullRequest): Promise<PullResult> {
    return this.#puller.run(async (slot) => {
      const start = ctx.clock.now();
      const { imageRef, credential } = await this.#pullWithCredentials({ ...ctx, slot }, request);
      const size = request.wantsSize && imageRef !== '' ? await this.#imageSize(ctx, request.image) : 0;
      return { imageRef, credential, size, duration: ctx.clock.now() - start };
    });
  }

  async #pullWithCredentials(ctx: Context, { image, credentials, sandboxConfig }: PullRequest): Promise<Pick<PullResult, 'imageRef' | 'credential'>> {
    const errors: Error[] = [];
    for (const credential of credentials.length > 0 ? credentials : [undefined]) {
      try {
        if (this.#limiter && !this.#limiter.tryAccept(ctx.clock)) throw new Error('pull QPS exceeded');
        const auth = credential && { username: credential.username, password: credential.password };
        const { imageRef } = await this.images.pullImage(ctx, { image: { image }, ...(auth ? { auth } : {}), sandboxConfig });
        return { imageRef, credential };
      } catch (error) {
        if (isInterrupted(error)) throw error;
        errors.push(asError(error));
      }
    }
    throw errors.length === 1 ? errors[0] : aggregateErrors(errors);
  }

  /** As well as it can be had. */
  async #imageSize(ctx: Context, image: string): Promise<number> {
    try {
      return (await this.images.imageStatus(ctx, { image: { image } })).image?.size ?? 0;
    } catch {
      return 0;
    }
  }
}
