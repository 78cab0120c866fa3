/**
 * OOM scores. Lowering a score below the parent's needs CAP_SYS_RESOURCE, which an engine in a container or without root may lack: there
 * every start with a negative score fails. One throw-away container finds out; then negative scores become 0.
 */
import { type Context, withoutCancel } from '@podscope/trace';
import type { Deviations } from '../deviations.ts';
import type { DockerClient } from '../docker/port.ts';
import { probeEnginePoint } from '../points.ts';
import { tryStart } from './try-start.ts';

/** The score of sandboxes: the last to be killed but the node's own daemons. */
export const sandboxOomScore = -998;

/** How the refusal reads: newer runtimes name the file; runc up to 1.1 dies without a word. */
const refusal = /oom_score_adj|oom score|final child's PID from pipe: EOF/i;

/** Decides on OOM scores for one engine. */
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

  /** The score to ask for instead of `score`. @param image the sandbox image, to try with where that is not known yet: a pause program harms nobody. */
  async fit(ctx: Context, score: number, image: string): Promise<number> {
    if (score >= 0) return score;
    // A probe that could not be made, or failed for another reason, says nothing: the next caller tries again.
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

  /** @returns undefined when starts fail anyhow: the engine may just be going down or coming up */
  #probe(ctx: Context, image: string): Promise<boolean | undefined> {
    return ctx.tracer.span(ctx, probeEnginePoint, { image, oomScoreAdj: sandboxOomScore }, async (inner) => {
      const failure = await this.#tryStart(inner, image, sandboxOomScore);
      const isRestricted = failure === undefined ? false : await this.#isAboutTheScore(inner, image, failure);
      inner.span.set({ isRestricted, failure: failure?.message });
      if (isRestricted) this.#deviations.record(inner, 'Negative OOM scores are set to 0: this engine may not lower them (it lacks CAP_SYS_RESOURCE).');
      return isRestricted;
    });
  }

  async #isAboutTheScore(ctx: Context, image: string, failure: Error): Promise<true | undefined> {
    return refusal.test(failure.message) && (await this.#tryStart(ctx, image, 0)) === undefined ? true : undefined;
  }

  #tryStart(ctx: Context, image: string, OomScoreAdj: number): Promise<Error | undefined> {
    return tryStart(this.#docker, ctx, { probe: 'oom-score', instance: this.#instance, image, hostConfig: { OomScoreAdj } });
  }
}
