/**
 * Makes sure that the sandbox image exists, which is a step of RunPodSandbox. Upstream: ensureSandboxImageExists
 * (dockershim helpers.go, v1.20).
 */
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isNotFound, wrapError } from '../docker/error.ts';
import { findImage } from '../image/find-image.ts';
import { pullReference } from '../image/pull-image.ts';

/** For how long after a failed pull no further pull is attempted, in ms, if a fallback image exists. */
const retryAfterMs = 300_000;

/** Finds or pulls the sandbox image, or uses the fallback image. */
export class SandboxImages {
  #pullFailedAt: number | undefined;

  /**
   * Returns the image for sandboxes. Upstream has no fallback image.
   * @throws CriError that names the remedy if no image is available
   */
  async ensure(ctx: Context, dependencies: DockershimDependencies): Promise<string> {
    const { sandboxImage, sandboxImageFallback: fallback } = dependencies.options;
    if (await this.#isPresent(ctx, dependencies, sandboxImage)) return sandboxImage;
    const failedLately = this.#pullFailedAt !== undefined && ctx.clock.now() - this.#pullFailedAt < retryAfterMs;
    const canFallBack = fallback !== null && (fallback.when === 'absent' || failedLately);
    if (canFallBack && (await this.#isPresent(ctx, dependencies, fallback.image)))
      return this.#fallBack(ctx, dependencies, fallback.image);
    try {
      await pullReference(ctx, dependencies, { image: sandboxImage });
      this.#pullFailedAt = undefined;
      return sandboxImage;
    } catch (cause) {
      ctx.signal.throwIfAborted();
      this.#pullFailedAt = ctx.clock.now();
      if (fallback && (await this.#isPresent(ctx, dependencies, fallback.image)))
        return this.#fallBack(ctx, dependencies, fallback.image);
      const remedy = fallback
        ? `build ${goQuote(fallback.image)} with "npx -y pnpm@12 local-images", or choose`
        : 'load it into Docker, or choose';
      const failure = wrapError(`failed pulling image ${goQuote(sandboxImage)}`, cause);
      throw new CriError(
        failure.code,
        `${failure.message} (no sandbox image is here: ${remedy} another sandbox image)`,
        { cause },
      );
    }
  }

  #fallBack(ctx: Context, dependencies: DockershimDependencies, image: string): string {
    dependencies.deviations.record(
      ctx,
      `Sandboxes use the image ${image}: ${dependencies.options.sandboxImage} is not on this engine.`,
    );
    return image;
  }

  async #isPresent(ctx: Context, dependencies: DockershimDependencies, image: string): Promise<boolean> {
    try {
      return (await findImage(ctx, dependencies, image)) !== undefined;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw wrapError(`failed to inspect sandbox image ${goQuote(image)}`, error);
    }
  }
}
