/**
 * Builds the lane of a pod worker: its syncs with the steps of SyncPod and their calls. Reads finished syncs only once.
 */

import { type PodTrack, type SpanRecord, sourceOf } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Item, ItemState, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';
import { isInjected } from './injected.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

/**
 * Maximum time after which the log of a genuine kubelet still receives an earlier sync, in milliseconds. The kubelet
 * exports its spans every five seconds.
 */
const latest = 15_000;

const inOrder = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.start - b.start || a.row - b.row);

/** Maximum depth of calls with a row. The inspector shows deeper ones. */
const deepest = 3;

const stateOfKind: Readonly<Record<string, ItemState>> = {
  worker: 'worker',
  sync: 'sync',
  syncStep: 'step',
  kubeletStep: 'step',
  hook: 'hook',
};

/** Returns the name of the container that a span is about, for its label. */
function subject({ attributes }: SpanRecord): string | undefined {
  const { container } = attributes;
  if (typeof container === 'string') return container;
  const name =
    typeof container === 'object' && container !== null ? (container as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' ? name : undefined;
}

function spanItem(span: SpanRecord, row: number, spanOf: SpanOf, title: string): Item {
  const about = subject(span);
  const { deadline } = span.attributes;
  return {
    id: itemId({ kind: 'span', span: span.id }),
    start: span.start,
    end: span.end,
    row,
    state: stateOfKind[span.kind] ?? 'call',
    label: about ? `${title} ${about}` : title,
    detail: span.outcome === 'error' ? span.error?.reason : undefined,
    failed: span.outcome === 'error',
    error: span.error?.message,
    span: span.id,
    injected: isInjected(span, spanOf),
    // A call in flight counts down to its deadline.
    ...(span.end === undefined && typeof deadline === 'number' ? { countdownTo: deadline } : {}),
    ...sourceOf(span),
  };
}

/**
 * Returns true for a span that gets no row: the function that a sync runs (the sync already has its name), and the step
 * in which the kubelet calls the runtime manager.
 */
const isWrapper = (span: SpanRecord, parent: SpanRecord | undefined, spanOf: SpanOf): boolean =>
  (span.kind === 'function' && parent?.kind === 'worker') ||
  (span.kind === 'kubeletStep' && span.children.some((child) => spanOf(child)?.kind === 'sync'));

/** Appends a span and its calls to `items`. */
class SyncWriter {
  readonly items: Item[] = [];
  /** False if the span or one of its calls is open. */
  isOver = true;
  readonly #spanOf: SpanOf;
  readonly #stops: ReadonlyMap<number, readonly Item[]>;
  readonly #words: TimelineWords;

  constructor(spanOf: SpanOf, stops: ReadonlyMap<number, readonly Item[]>, words: TimelineWords) {
    this.#spanOf = spanOf;
    this.#stops = stops;
    this.#words = words;
  }

  add(id: number, row: number, parent?: SpanRecord): void {
    const span = this.#spanOf(id);
    if (!span) return;
    if (span.end === undefined) this.isOver = false;
    const wraps = isWrapper(span, parent, this.#spanOf);
    if (!wraps) this.items.push(spanItem(span, row, this.#spanOf, this.#titleOf(span)));
    const below = wraps ? row : row + 1;
    for (const paused of this.#stops.get(id) ?? []) {
      this.items.push({ ...paused, row: below });
      if (paused.end === undefined) this.isOver = false;
    }
    if (below <= deepest) for (const child of span.children) this.add(child, below, span);
  }

  #titleOf(span: SpanRecord): string {
    const run =
      span.kind === 'worker'
        ? span.children.map((child) => this.#spanOf(child)).find((child) => child?.kind === 'function')
        : undefined;
    const { point, title } = run ?? span;
    return this.#words.step(point, title);
  }
}

/** Returns true if the log no longer receives syncs that began before this one. */
const isComplete = (root: SpanRecord | undefined, { lastTime }: PodTrack): boolean =>
  root?.source === undefined || lastTime > root.start + latest;

export class WorkerLane {
  readonly #items: Item[] = [];
  /** How many root spans have only items that are settled. */
  #settledRoots = 0;
  #settledItems = 0;
  #rows = 3;

  /** Returns the lane for the current version of the pod. */
  lane(pod: PodTrack, spanOf: SpanOf, group: string | undefined, words: TimelineWords): Lane {
    // If the log has no pod worker, only the runtime manager, the lane shows the syncs of the runtime manager.
    const roots = pod.workerSpans.length > 0 ? pod.workerSpans : pod.syncs.map(({ span }) => span);
    this.#items.length = this.#settledItems;
    const stops = new Map<number, Item[]>();
    for (const { seq, start, end, point, reason, phase, span } of pod.stops) {
      if (span === undefined) continue;
      const paused: Item = {
        id: itemId({ kind: 'stop', seq }),
        start,
        end,
        row: 0,
        state: 'paused',
        label: `❚❚ ${words.stopReason(reason)}`,
        detail: words.stopPlace(phase, words.step(point, point)),
        span,
      };
      stops.set(span, [...(stops.get(span) ?? []), paused]);
    }
    let isSettled = true;
    const unsettled: Item[] = [];
    for (let at = this.#settledRoots; at < roots.length; at++) {
      const root = roots[at] ?? 0;
      const writer = new SyncWriter(spanOf, stops, words);
      writer.add(root, 0);
      for (const { row } of writer.items) this.#rows = Math.max(this.#rows, row + 1);
      isSettled &&= writer.isOver && isComplete(spanOf(root), pod);
      if (isSettled) {
        this.#items.push(...inOrder(writer.items));
        this.#settledRoots = at + 1;
        this.#settledItems = this.#items.length;
      } else unsettled.push(...writer.items);
    }
    this.#items.push(...inOrder(unsettled));
    const markers = pod.stops.map(
      ({ seq, start, point, reason, phase }): Marker => ({
        id: itemId({ kind: 'stopped', seq }),
        time: start,
        kind: 'stop',
        label: words.stopped(reason),
        detail: words.stopPlace(phase, words.step(point, point)),
      }),
    );
    return {
      id: `${pod.uid}/worker`,
      kind: 'worker',
      label: words.lanes.worker,
      note: pod.syncs.length > 0 ? words.lanes.syncs(pod.syncs.length) : undefined,
      group,
      rows: this.#rows,
      compact: true,
      items: this.#items,
      markers,
      settled: this.#settledItems,
    };
  }
}
