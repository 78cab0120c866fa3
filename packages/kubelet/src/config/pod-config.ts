/**
 * Merges the pods of all sources into one stream of differences for the sync loop. Upstream: config.PodConfig (v1.36).
 */
import { goQuote, type Pod } from '@podscope/k8s';
import { type EventRecorder, formatPod } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import { type KnownPod, mergeSource, operationOrder, type PodOperation } from './merge.ts';
import type { PodSource } from './pod-source.ts';

/** A message to the sync loop. */
export interface PodUpdate {
  readonly operation: PodOperation;
  readonly pods: readonly Pod[];
  readonly source: PodSource;
}

/** Collects the pods of all sources. Deliveries before {@link start} are stored and merged at the start. */
export class PodConfig {
  readonly #sources: ReadonlySet<PodSource>;
  readonly #recorder: EventRecorder;
  readonly #pods = new Map<PodSource, ReadonlyMap<string, KnownPod>>();
  readonly #seen = new Set<PodSource>();
  readonly #early: { readonly source: PodSource; readonly pods: readonly Pod[] }[] = [];
  #started: { readonly ctx: Context; readonly deliver: (update: PodUpdate) => void } | undefined;

  constructor(sources: Iterable<PodSource>, recorder: EventRecorder) {
    this.#sources = new Set(sources);
    this.#recorder = recorder;
  }

  /**
   * Replaces all pods of a source.
   * @throws Error for a source that isn't configured
   */
  set(source: PodSource, pods: readonly Pod[]): void {
    if (!this.#sources.has(source))
      throw new Error(`pod source ${goQuote(source)} is not configured; add it to the kubelet's sources`);
    if (this.#started) this.#merge(this.#started, source, pods);
    else this.#early.push({ source, pods });
  }

  /** Sends all pods set so far to the sync loop, and from now on each change. */
  start(ctx: Context, deliver: (update: PodUpdate) => void): void {
    this.#started = { ctx, deliver };
    for (const { source, pods } of this.#early.splice(0)) this.#merge(this.#started, source, pods);
  }

  /** Records that the first message of a source has been handled. Upstream: sourcesReady.AddSource. */
  markSeen(source: PodSource): void {
    this.#seen.add(source);
  }

  /**
   * True once the sync loop has handled the first message of every source. Until then nothing may be deleted. Upstream:
   * sourcesReady.AllReady.
   */
  get allReady(): boolean {
    return [...this.#sources].every((source) => this.#seen.has(source));
  }

  #merge(
    { ctx, deliver }: { readonly ctx: Context; readonly deliver: (update: PodUpdate) => void },
    source: PodSource,
    pods: readonly Pod[],
  ): void {
    const known = this.#pods.get(source);
    const result = mergeSource(source, known ?? new Map(), pods, ctx.clock.now());
    this.#pods.set(source, result.pods);
    for (const pod of result.duplicates) {
      const message =
        `Error validating pod ${formatPod(pod)} from ${source} ` +
        `due to duplicate pod name ${goQuote(pod.metadata.name)}, ignoring`;
      this.#recorder.event(ctx, pod, 'Warning', 'FailedValidation', message);
    }
    // The first delivery always sends a message, even without pods, so that the source counts as seen.
    const first =
      !known &&
      ['ADD', 'UPDATE', 'DELETE'].every((operation) => result.operations[operation as PodOperation].length === 0);
    for (const operation of operationOrder) {
      const changed = result.operations[operation];
      if (changed.length > 0 || (first && operation === 'ADD')) deliver({ operation, pods: changed, source });
    }
  }
}
