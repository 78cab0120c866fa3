/**
 * Adjusts OOM scores to the engine. Lowering a score needs CAP_SYS_RESOURCE; an engine without it fails every start
 * with a negative score. A probe container finds out; then negative scores become 0.
 */

import { engineProbePoints } from '@podscope/flow';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { Deviations } from './deviations.ts';
import { tryStart } from './try-start.ts';

/** The score of sandboxes: killed after everything but the node's daemons. */
export const sandboxOomScore = -998;

/** The error of such a start: newer releases of runc name the file, those up to 1.1 only end. */
const refusal = /oom_score_adj|oom score|final child's PID from pipe: EOF/i;

/** Determines the OOM scores that one engine accepts. */
export class OomScores {
  readonly #docker: DockerClient;
  readonly #deviations: Deviations;
  readonly #instance: string;
  #isRestricted: Promise<boolean | undefined> | undefined;

  constructor(docker: DockerClient, deviations: Deviations, instance: string) {
    this.#docker = docker;
    this.#deviations = deviations;
    this.#instance = instance;
  }

  /**
   * Returns the score to request instead of `score`.
   * @param image the sandbox image, used for the probe
   */
  async fit(ctx: Context, score: number, image: string): Promise<number> {
    if (score >= 0) return score;
    // A probe that fails for another reason is inconclusive; the next caller repeats it.
    const forget = (): void => {
      this.#isRestricted = undefined;
    };
    this.#isRestricted ??= this.#probe(withoutCancel(ctx), image).catch((error: unknown) => {
      forget();
      throw error;
    });
    const isRestricted = await this.#isRestricted;
    if (isRestricted === undefined) forget();
    return isRestricted ? 0 : score;
  }

  /** @returns undefined if containers don't start at all, for example while the engine shuts down */
  #probe(ctx: Context, image: string): Promise<boolean | undefined> {
    return ctx.tracer.span(
      ctx,
      engineProbePoints.probeOomScore,
      { image, oomScoreAdj: sandboxOomScore },
      async (inner) => {
        const failure = await this.#tryStart(inner, image, sandboxOomScore);
        const isRestricted = failure === undefined ? false : await this.#isAboutTheScore(inner, image, failure);
        inner.span.set({ isRestricted, failure: failure?.message });
        if (isRestricted)
          this.#deviations.record(
            inner,
            'Negative OOM scores are set to 0: this engine may not lower them (it lacks CAP_SYS_RESOURCE).',
          );
        return isRestricted;
      },
    );
  }

  async #isAboutTheScore(ctx: Context, image: string, failure: Error): Promise<true | undefined> {
    return refusal.test(failure.message) && (await this.#tryStart(ctx, image, 0)) === undefined ? true : undefined;
  }

  #tryStart(ctx: Context, image: string, OomScoreAdj: number): Promise<Error | undefined> {
    return tryStart(ctx, this.#docker, {
      probe: 'oom-score',
      instance: this.#instance,
      image,
      hostConfig: { OomScoreAdj },
    });
  }
}
