/**
 * Builds the lane of a pod worker: its syncs with the steps of SyncPod and their calls. Reads finished syncs only once.
 */

import { type PodTrack, type SpanRecord, sourceOf } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Item, ItemState, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';
import { inOrder } from './arrange-lanes.ts';
import { isInjected } from './injected.ts';
import { LaneItems } from './lane-items.ts';

type SpanOf = (id: number) => SpanRecord | undefined;

/**
 * Maximum time after which the log of a genuine kubelet still receives an earlier sync, in milliseconds. The kubelet
 * exports its spans every five seconds.
 */
const latest = 15_000;

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

/** A sync with its items, and whether they still change. */
interface Sync {
  readonly id: number;
  /** Ordered by start. */
  readonly items: readonly Item[];
  readonly isSettled: boolean;
}

export class WorkerLane {
  readonly #items = new LaneItems();
  /** How many syncs of the log were read. */
  #read = 0;
  /** The spans of syncs that may still change, or before which the log may still receive an earlier one. */
  #pending: readonly number[] = [];
  /** Items of settled syncs that start after a pending sync. They settle after it, so that the lane stays in order. */
  #waiting: readonly Item[] = [];
  #rows = 3;

  /** Returns the lane for the current version of the pod. */
  lane(pod: PodTrack, spanOf: SpanOf, group: string | undefined, words: TimelineWords): Lane {
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
    const unread = pod.syncs.slice(this.#read).map(({ span }) => span);
    const syncs = [...this.#pending, ...unread].map((id): Sync => {
      const writer = new SyncWriter(spanOf, stops, words);
      writer.add(id, 0);
      for (const { row } of writer.items) this.#rows = Math.max(this.#rows, row + 1);
      const isSettled = writer.isOver && isComplete(spanOf(id), pod);
      return { id, items: inOrder(writer.items), isSettled };
    });
    const pending = syncs.filter(({ isSettled }) => !isSettled);
    const settled = syncs.filter(({ isSettled }) => isSettled);
    // Syncs can overlap: v1.20's podKiller works beside the pod worker.
    const items = [...this.#waiting, ...settled.flatMap((sync) => sync.items)];
    const from = Math.min(...pending.map((sync) => sync.items[0]?.start ?? Number.POSITIVE_INFINITY));
    this.#read = pod.syncs.length;
    this.#pending = pending.map(({ id }) => id);
    this.#waiting = items.filter(({ start }) => start > from);
    this.#items.update(inOrder(items.filter(({ start }) => start <= from)), [
      ...pending.flatMap((sync) => sync.items),
      ...this.#waiting,
    ]);
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
      ...this.#items.lane,
      markers,
    };
  }
}
