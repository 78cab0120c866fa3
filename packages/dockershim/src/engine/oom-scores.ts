/**
 * Adjusts OOM scores to the range that the engine accepts. Without CAP_SYS_RESOURCE, an engine fails to start any
 * container with a negative score. A probe container detects such an engine; negative scores then become 0.
 */

import { engineProbePoints } from '@podscope/flow';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { Deviations } from './deviations.ts';
import { tryStart } from './try-start.ts';

/**
 * The OOM score of sandboxes. When memory runs out, the kernel kills sandboxes after all other processes except the
 * node's daemons.
 */
export const sandboxOomScore = -998;

/**
 * Matches the error of a start that fails because of the score. Newer releases of runc name the file; releases up to
 * 1.1 only report the end of a pipe.
 */
const refusal = /oom_score_adj|oom score|final child's PID from pipe: EOF/i;

/** Determines which OOM scores an engine accepts. */
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
   * Returns the score to request: `score`, or 0 if it is negative and the engine doesn't accept negative scores.
   * @param image the image of the probe container
   */
  async fit(ctx: Context, score: number, image: string): Promise<number> {
    if (score >= 0) return score;
    // If the probe fails for another reason, its result is unknown and the next caller probes again.
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

  /**
   * Starts a probe container. Returns whether the engine rejects negative scores.
   * @returns undefined if no container can be started, for example while the engine shuts down
   */
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
