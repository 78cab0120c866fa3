/** Implements PullImage. Upstream: dockershim docker_image.go (v1.20). */
import { ImageReferenceError, parseImageReference } from '@podscope/base';
import {
  type AuthConfig,
  CriError,
  type ImageSpec,
  type PullImageRequest,
  type PullImageResponse,
} from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import { type Context, withSignal } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { wrapError } from '../docker/error.ts';
import { findImage } from './find-image.ts';
import { PullProgress } from './pull-progress.ts';

/** Pulls an image and returns its id. */
export async function pullImage(
  ctx: Context,
  dependencies: DockershimDependencies,
  { image, auth }: PullImageRequest,
): Promise<PullImageResponse> {
  if (!image?.image) throw new CriError('InvalidArgument', 'image pull needs an image');
  await pullReference(ctx, dependencies, image, auth);
  const found = await findImage(ctx, dependencies, image.image);
  if (!found)
    throw new CriError('NotFound', `image ${goQuote(image.image)} was pulled but is not there: something removed it`);
  return { imageRef: found.Id };
}

/**
 * Pulls an image. Cancels the pull if it makes no progress within the deadline.
 * @throws CriError with the engine's text
 */
export async function pullReference(
  ctx: Context,
  dependencies: DockershimDependencies,
  { image }: ImageSpec,
  auth?: AuthConfig,
): Promise<void> {
  const { familiarName, tag = 'latest', digest } = parse(image);
  const progress = new PullProgress(ctx, image);
  const deadline = new ProgressDeadline(ctx, dependencies.options.imagePullProgressDeadline, progress);
  try {
    const onMessage = (message: Parameters<PullProgress['add']>[0]): void => {
      deadline.extend();
      progress.add(message);
    };
    await dependencies.docker.pullImage(withSignal(ctx, deadline.signal), {
      fromImage: familiarName,
      tag: digest ?? tag,
      ...(auth ? { auth } : {}),
      onMessage,
    });
  } catch (error) {
    if (!deadline.signal.aborted || ctx.signal.aborted) throw error;
    const seconds = dependencies.options.imagePullProgressDeadline / 1000;
    throw wrapError(
      `pull of ${goQuote(image)} was cancelled: no progress for ${seconds} s`,
      new CriError('DeadlineExceeded', 'context canceled'),
    );
  } finally {
    deadline.cancel();
    progress.flush();
    dependencies.imageNames.forgetAll();
  }
}

function parse(image: string): ReturnType<typeof parseImageReference> {
  try {
    return parseImageReference(image);
  } catch (error) {
    if (!(error instanceof ImageReferenceError)) throw error;
    throw new CriError('InvalidArgument', error.message, { cause: error });
  }
}

/**
 * Aborts a pull that makes no progress. The deadline starts with the request and is paused while layers are unpacked.
 * Upstream: progressReporter (libdocker, v1.20).
 */
class ProgressDeadline {
  readonly #controller = new AbortController();
  readonly #ctx: Context;
  readonly #limit: number;
  readonly #progress: PullProgress;
  #lastMove: number;
  #timer: { cancel(): void };

  constructor(ctx: Context, limit: number, progress: PullProgress) {
    this.#ctx = ctx;
    this.#limit = limit;
    this.#progress = progress;
    this.#lastMove = ctx.clock.now();
    this.#timer = this.#arm(limit);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  extend(): void {
    this.#lastMove = this.#ctx.clock.now();
  }

  cancel(): void {
    this.#timer.cancel();
  }

  #arm(delay: number): { cancel(): void } {
    return this.#ctx.clock.schedule(delay, () => {
      const left = this.#lastMove + this.#limit - this.#ctx.clock.now();
      if (left > 0) this.#timer = this.#arm(left);
      else if (this.#progress.isExtracting) this.#timer = this.#arm(this.#limit);
      else this.#controller.abort(new Error('no progress'));
    });
  }
}
