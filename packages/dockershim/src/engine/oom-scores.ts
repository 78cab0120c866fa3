/**
 * OOM scores. Lowering a score below the parent's needs CAP_SYS_RESOURCE, which an engine in a container or without root may lack: there
 * every start with a negative score fails. One throw-away container finds out; then negative scores become 0.
 */
import { randomUUID } from 'node:crypto';
import { type Context, withoutCancel } from '@podscope/trace';
import type { Deviations } from '../deviations.ts';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../labels.ts';
import { probeEnginePoint } from '../points.ts';

/** The score of sandboxes: the last to be killed but the node's own daemons. */
export const sandboxOomScore = -998;

/** How the refusal reads: newer runtimes name the file; runc up to 1.1 dies without a word. */
const refusal = /oom_score_adj|oom score|final child's PID from pipe: EOF/i;

/** Decides on OOM scores for one engine. */
export class OomScores {
  readonly #docker: DockerClient;
  readonly #deviations: Deviations;
  readonly #instance: string;
  #isRestricted: Promise<boolean> | undefined;

  constructor(docker: DockerClient, deviations: Deviations, instance: string) {
    this.#docker = docker;
    this.#deviations = deviations;
    this.#instance = instance;
  }

  /** The score to ask for instead of `score`. @param image the sandbox image, to try with where that is not known yet: a pause program harms nobody. */
  async fit(ctx: Context, score: number, image: string): Promise<number> {
    if (score >= 0) return score;
    // A probe that could not be made says nothing: the next caller tries again.
    this.#isRestricted ??= this.#probe(withoutCancel(ctx), image).catch((error: unknown) => {
      this.#isRestricted = undefined;
      throw error;
    });
    return (await this.#isRestricted) ? 0 : score;
  }

  /** Removes what a probe of a crashed process left behind. */
  async removeLeftovers(ctx: Context): Promise<void> {
    const label = [labelKeys.probe, `${labelKeys.instance}=${this.#instance}`];
    for (const { Id } of await this.#docker.listContainers(ctx, { all: true, filters: { label } })) {
      await this.#docker.removeContainer(ctx, { id: Id, force: true }).catch(() => undefined);
    }
  }

  #probe(ctx: Context, image: string): Promise<boolean> {
    return ctx.tracer.span(ctx, probeEnginePoint, { image, oomScoreAdj: sandboxOomScore }, async (inner) => {
      const failure = await this.#tryStart(inner, image, sandboxOomScore);
      const isRestricted = failure !== undefined && refusal.test(failure.message) && (await this.#tryStart(inner, image, 0)) === undefined;
      inner.span.set({ isRestricted, failure: failure?.message });
      if (isRestricted) this.#deviations.record(inner, 'Negative OOM scores are set to 0: this engine may not lower them (it lacks CAP_SYS_RESOURCE).');
      return isRestricted;
    });
  }

  async #tryStart(ctx: Context, image: string, score: number): Promise<Error | undefined> {
    const body: ContainerCreateBody = {
      Image: image,
      Labels: { [labelKeys.probe]: 'oom-score', [labelKeys.instance]: this.#instance },
      HostConfig: { NetworkMode: 'none', OomScoreAdj: score },
    };
    const { Id: id } = await this.#docker.createContainer(ctx, { name: `podscope_probe_${randomUUID()}`, body });
    try {
      await this.#docker.startContainer(ctx, { id });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      await this.#docker.removeContainer(ctx, { id, force: true }).catch(() => undefined);
    }
  }
}
