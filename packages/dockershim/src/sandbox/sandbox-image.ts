/** Step 1 of RunPodSandbox: the pause image. */
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { isNotFound, wrapError } from '../docker/error.ts';
import { findImage } from '../image/find-image.ts';
import { pullReference } from '../image/pull-image.ts';
import type { Shim } from '../shim.ts';

/** Images whose pull failed are not asked for again for so long, where another one stands in. */
const retryAfterMs = 300_000;

/** Finds the sandbox image, pulls it, or falls back on one that is here. */
export class SandboxImages {
  #pullFailedAt: number | undefined;

  /**
   * The image to create sandboxes from. Upstream: ensureSandboxImageExists (dockershim helpers.go, v1.20); the fallback is ours.
   * @throws CriError naming what to do when there is none.
   */
  async ensure(shim: Shim, ctx: Context): Promise<string> {
    const { sandboxImage, sandboxImageFallback: fallback } = shim.options;
    if (await this.#isPresent(shim, ctx, sandboxImage)) return sandboxImage;
    const failedLately = this.#pullFailedAt !== undefined && ctx.clock.now() - this.#pullFailedAt < retryAfterMs;
    const canFallBack = fallback !== null && (fallback.when === 'absent' || failedLately);
    if (canFallBack && (await this.#isPresent(shim, ctx, fallback.image))) return this.#fallBack(shim, ctx, fallback.image);
    try {
      await pullReference(shim, ctx, { image: sandboxImage });
      this.#pullFailedAt = undefined;
      return sandboxImage;
    } catch (cause) {
      ctx.signal.throwIfAborted();
      this.#pullFailedAt = ctx.clock.now();
      if (fallback && (await this.#isPresent(shim, ctx, fallback.image))) return this.#fallBack(shim, ctx, fallback.image);
      const remedy = fallback ? `build ${goQuote(fallback.image)} with "npx -y pnpm@12 local-images", or choose` : 'load it into Docker, or choose';
      const failure = wrapError(`failed pulling image ${goQuote(sandboxImage)}`, cause);
      throw new CriError(failure.code, `${failure.message} (no sandbox image is here: ${remedy} another sandbox image)`, { cause });
    }
  }

  #fallBack(shim: Shim, ctx: Context, image: string): string {
    shim.deviations.record(ctx, `Sandboxes use the image ${image}: ${shim.options.sandboxImage} is not on this engine.`);
    return image;
  }

  async #isPresent(shim: Shim, ctx: Context, image: string): Promise<boolean> {
    try {
      return (await findImage(shim, ctx, image)) !== undefined;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw wrapError(`failed to inspect sandbox image ${goQuote(image)}`, error);
    }
  }
}
