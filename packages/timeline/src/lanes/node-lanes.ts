/**
 * Builds the lanes of a genuine kubelet's work that belongs to no sync: relists, housekeeping, checks of the runtime,
 * statistics, garbage collection, container events. They are collapsed to one lane by default.
 */
import { type RunFold, type SpanRecord, sourceOf } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Item, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';

/** The part of a fold that the lanes read. */
export type NodeSource = Pick<RunFold, 'nodeSpans' | 'nodeVersion' | 'span' | 'lastTime'>;

/** The id of the lane with all threads of the node. */
export const nodeLaneId = 'node/calls';

/** The thread whose calls are streams that stay open. Their events are markers. */
const streams = 'containerEvents';
/** Maximum number of rows for calls that run at the same time. Further ones aren't drawn. */
const mostRows = 4;
/** Maximum time after which the log receives an earlier span of the kubelet, in milliseconds. */
const latest = 15_000;

const inOrder = <T extends { readonly start: number }>(each: readonly T[]): readonly T[] =>
  each.toSorted((a, b) => a.start - b.start);

const itemOf = (span: SpanRecord, row: number): Item => {
  const { id, start, end, title, outcome, error, attributes } = span;
  const { deadline } = attributes;
  return {
    id: itemId({ kind: 'span', span: id }),
    start,
    end,
    row,
    state: 'call',
    label: title,
    detail: outcome === 'error' ? error?.reason : undefined,
    failed: outcome === 'error',
    error: error?.message,
    ...(end === undefined && typeof deadline === 'number' ? { countdownTo: deadline } : {}),
    span: id,
    ...sourceOf(span),
  };
};

/** The items of one thread. Items before the horizon never change. */
class NodeThread {
  readonly items: Item[] = [];
  settled = 0;
  rows = 1;
  #read = 0;
  #pending: readonly number[] = [];
  /** For each row, the time until which an item occupies it. */
  #busy: number[] = [];

  /** Returns the spans that may still change. */
  unsettled(ids: readonly number[]): readonly number[] {
    return [...this.#pending, ...ids.slice(this.#read)];
  }

  /** Returns the items that became settled, and those that may still change. */
  update(ids: readonly number[], source: NodeSource, horizon: number): readonly [readonly Item[], readonly Item[]] {
    const spans = this.unsettled(ids).flatMap((id) => source.span(id) ?? []);
    this.#read = ids.length;
    const before = inOrder(spans.filter(({ start }) => start < horizon));
    const after = inOrder(spans.filter(({ start }) => start >= horizon));
    this.#pending = after.map(({ id }) => id);
    this.items.length = this.settled;
    const settled = this.#place(before, this.#busy);
    this.items.push(...settled);
    this.settled = this.items.length;
    const open = this.#place(after, [...this.#busy]);
    this.items.push(...open);
    return [settled, open];
  }

  #place(spans: readonly SpanRecord[], busy: number[]): readonly Item[] {
    return spans.flatMap((span) => {
      const free = busy.findIndex((until) => until <= span.start);
      const row = free < 0 ? busy.length : free;
      if (row >= mostRows) return [];
      busy[row] = span.end ?? Number.POSITIVE_INFINITY;
      this.rows = Math.max(this.rows, row + 1);
      return [itemOf(span, row)];
    });
  }
}

export class NodeLanes {
  readonly #words: TimelineWords;
  readonly #threads = new Map<string, NodeThread>();
  readonly #collapsed: Item[] = [];
  #settled = 0;
  #source: NodeSource | undefined;
  #version = -1;
  #lanes: { readonly collapsed: readonly Lane[]; readonly expanded: readonly Lane[] } = { collapsed: [], expanded: [] };

  constructor(words: TimelineWords) {
    this.#words = words;
  }

  /** Returns the lane of the node, or a lane for each of its threads; no lane for Podscope's own kubelet. */
  lanes(source: NodeSource, isExpanded: boolean): readonly Lane[] {
    if (source !== this.#source || source.nodeVersion < this.#version) this.#reset(source);
    if (source.nodeVersion !== this.#version) this.#update(source);
    return isExpanded ? this.#lanes.expanded : this.#lanes.collapsed;
  }

  #reset(source: NodeSource): void {
    this.#source = source;
    this.#version = -1;
    this.#threads.clear();
    this.#collapsed.length = 0;
    this.#settled = 0;
  }

  #update(source: NodeSource): void {
    this.#version = source.nodeVersion;
    const threads = [...source.nodeSpans()].filter(([name]) => name !== streams);
    const horizon = this.#horizon(source, threads);
    const settled: Item[] = [];
    const open: Item[] = [];
    for (const [row, [name, ids]] of threads.entries()) {
      const thread = this.#threads.get(name) ?? new NodeThread();
      this.#threads.set(name, thread);
      const [before, after] = thread.update(ids, source, horizon);
      const label = this.#nameOf(name);
      // Calls at the same time have further rows in the lane of their thread.
      const thin = (items: readonly Item[]): readonly Item[] =>
        items.flatMap((item) => (item.row === 0 ? [{ ...item, row, label: `${label}: ${item.label}` }] : []));
      settled.push(...thin(before));
      open.push(...thin(after));
    }
    this.#collapsed.length = this.#settled;
    this.#collapsed.push(...inOrder(settled));
    this.#settled = this.#collapsed.length;
    this.#collapsed.push(...inOrder(open));
    const events = this.#eventsLane(source);
    const { node, expand, collapse } = this.#words.lanes;
    const collapsed: Lane = {
      id: nodeLaneId,
      kind: 'node',
      label: node,
      note: expand,
      rows: threads.length,
      items: this.#collapsed,
      markers: [],
      settled: this.#settled,
    };
    const expanded = threads.map(([name], at): Lane => {
      const { items, rows, settled: count } = this.#threads.get(name) ?? new NodeThread();
      const note = at === 0 ? collapse : undefined;
      return {
        id: `node/${name}`,
        kind: 'nodeThread',
        label: this.#nameOf(name),
        note,
        group: node,
        rows,
        compact: true,
        items,
        markers: [],
        settled: count,
      };
    });
    this.#lanes = {
      collapsed: threads.length > 0 ? [collapsed, ...events] : events,
      expanded: [...expanded, ...events.map((lane) => ({ ...lane, group: node }))],
    };
  }

  /** Returns the time before which no item changes any more. */
  #horizon(source: NodeSource, threads: readonly (readonly [string, readonly number[]])[]): number {
    let horizon = (source.lastTime ?? 0) - latest;
    for (const [name, ids] of threads)
      for (const id of this.#threads.get(name)?.unsettled(ids) ?? ids) {
        const span = source.span(id);
        if (span && span.end === undefined) horizon = Math.min(horizon, span.start);
      }
    return horizon;
  }

  #nameOf(thread: string): string {
    return Object.entries(this.#words.nodeThreads).find(([name]) => name === thread)?.[1] ?? thread;
  }

  /** Returns the lane of the streams of container events, with a marker for each event. */
  #eventsLane(source: NodeSource): readonly Lane[] {
    const spans = (source.nodeSpans().get(streams) ?? []).flatMap((id) => source.span(id) ?? []);
    if (spans.length === 0) return [];
    const events = spans.flatMap(({ children }) => children.flatMap((id) => source.span(id) ?? []));
    const markers = events.map(
      ({ id, start, title, attributes, ...event }): Marker => ({
        ...sourceOf(event),
        id: itemId({ kind: 'span', span: id }),
        time: start,
        kind: 'event',
        label: [attributes['container'], title].filter((each) => typeof each === 'string').join(': '),
        span: id,
      }),
    );
    return [
      {
        id: `node/${streams}`,
        kind: 'events',
        label: this.#nameOf(streams),
        rows: 1,
        items: [],
        markers: markers.toSorted((a, b) => a.time - b.time),
        settled: 0,
      },
    ];
  }
}
