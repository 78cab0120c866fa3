/**
 * Builds the lanes of a genuine kubelet's work that belongs to no sync: relists, housekeeping, checks of the runtime,
 * statistics, garbage collection, container events. They are collapsed to one lane by default.
 */
import { MergedLists, type RunFold, type SpanRecord, sourceOf } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Item, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';
import { inOrder } from './arrange-lanes.ts';
import { LaneItems } from './lane-items.ts';

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

/** The items that an update of a thread found. */
interface ThreadUpdate {
  /** New items whose place is final: the log no longer receives spans that began before them. */
  readonly settled: readonly Item[];
  /** Items that follow the settled ones, and that may still change. */
  readonly open: readonly Item[];
  /** Settled items that were open and have ended, each with its successor. */
  readonly ended: ReadonlyMap<Item, Item>;
}

/** The items of one thread. A call that stays open is settled like the others, so that it doesn't hold them back. */
class NodeThread {
  readonly items = new LaneItems();
  rows = 1;
  #read = 0;
  #pending: readonly number[] = [];
  /** For each row, the time until which an item occupies it. */
  #busy: number[] = [];
  #lasting: readonly Item[] = [];

  /** Reads the new spans. Spans that began before `horizon` get their final place. */
  update(ids: readonly number[], source: NodeSource, horizon: number): ThreadUpdate {
    const ended = this.#endLasting(source);
    const spans = [...this.#pending, ...ids.slice(this.#read)]
      .flatMap((id) => source.span(id) ?? [])
      .toSorted((a, b) => a.start - b.start);
    this.#read = ids.length;
    const after = spans.filter(({ start }) => start >= horizon);
    this.#pending = after.map(({ id }) => id);
    const settled = this.#place(
      spans.filter(({ start }) => start < horizon),
      this.#busy,
    );
    this.#lasting = [...this.#lasting, ...settled.filter(({ end }) => end === undefined)];
    const open = this.#place(after, [...this.#busy]);
    this.items.update(settled, open, ended);
    return { settled, open, ended };
  }

  #endLasting(source: NodeSource): ReadonlyMap<Item, Item> {
    const ended = new Map<Item, Item>();
    for (const item of this.#lasting) {
      const span = source.span(item.span ?? 0);
      if (span?.end === undefined) continue;
      ended.set(item, itemOf(span, item.row));
      this.#busy[item.row] = span.end;
    }
    if (ended.size > 0) this.#lasting = this.#lasting.filter((item) => !ended.has(item));
    return ended;
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

/** Merges the events of the streams into markers, in the order of their times. */
const streamMarkers = (source: NodeSource) =>
  new MergedLists<SpanRecord, number, Marker>({
    keyOf: ({ id }) => id,
    membersOf: ({ children }) => children,
    rowOf: (child) => {
      const event = source.span(child);
      if (!event) return undefined;
      const { id, start, title, attributes } = event;
      return {
        ...sourceOf(event),
        id: itemId({ kind: 'span', span: id }),
        time: start,
        kind: 'event',
        label: [attributes['container'], title].filter((each) => typeof each === 'string').join(': '),
        span: id,
      };
    },
    placeOf: ({ time }) => time,
  });

export class NodeLanes {
  readonly #words: TimelineWords;
  #threads = new Map<string, NodeThread>();
  #collapsed = new LaneItems();
  /** For each settled item that is open, its item in the collapsed lane. */
  #lasting = new Map<Item, Item>();
  #events: ReturnType<typeof streamMarkers> | undefined;
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
    this.#threads = new Map();
    this.#collapsed = new LaneItems();
    this.#lasting = new Map();
    this.#events = streamMarkers(source);
  }

  #update(source: NodeSource): void {
    this.#version = source.nodeVersion;
    const horizon = (source.lastTime ?? 0) - latest;
    const threads = [...source.nodeSpans()].filter(([name]) => name !== streams);
    const settled: Item[] = [];
    const open: Item[] = [];
    const ended = new Map<Item, Item>();
    for (const [row, [name, ids]] of threads.entries()) {
      const thread = this.#threads.get(name) ?? new NodeThread();
      this.#threads.set(name, thread);
      const update = thread.update(ids, source, horizon);
      const label = this.#nameOf(name);
      const thin = (item: Item): Item => ({ ...item, row, label: `${label}: ${item.label}` });
      for (const [item, successor] of update.ended) {
        const known = this.#lasting.get(item);
        if (known) ended.set(known, thin(successor));
        this.#lasting.delete(item);
      }
      // Calls at the same time have further rows in the lane of their thread.
      for (const item of update.settled) {
        if (item.row > 0) continue;
        const thinned = thin(item);
        settled.push(thinned);
        if (item.end === undefined) this.#lasting.set(item, thinned);
      }
      for (const item of update.open) if (item.row === 0) open.push(thin(item));
    }
    this.#collapsed.update(inOrder(settled), open, ended);
    const events = this.#eventsLane(source);
    const { node, expand, collapse } = this.#words.lanes;
    const collapsed: Lane = {
      id: nodeLaneId,
      kind: 'node',
      label: node,
      note: expand,
      rows: threads.length,
      ...this.#collapsed.lane,
      markers: [],
    };
    const expanded = threads.map(([name], at): Lane => {
      const { items, rows } = this.#threads.get(name) ?? new NodeThread();
      const note = at === 0 ? collapse : undefined;
      return {
        id: `node/${name}`,
        kind: 'nodeThread',
        label: this.#nameOf(name),
        note,
        group: node,
        rows,
        compact: true,
        ...items.lane,
        markers: [],
      };
    });
    this.#lanes = {
      collapsed: threads.length > 0 ? [collapsed, ...events] : events,
      expanded: [...expanded, ...events.map((lane) => ({ ...lane, group: node }))],
    };
  }

  #nameOf(thread: string): string {
    return Object.entries(this.#words.nodeThreads).find(([name]) => name === thread)?.[1] ?? thread;
  }

  /** Returns the lane of the streams of container events, with a marker for each event. */
  #eventsLane(source: NodeSource): readonly Lane[] {
    const spans = (source.nodeSpans().get(streams) ?? []).flatMap((id) => source.span(id) ?? []);
    if (spans.length === 0) return [];
    const markers = this.#events?.of(spans) ?? [];
    return [
      { id: `node/${streams}`, kind: 'events', label: this.#nameOf(streams), rows: 1, items: [], markers, settled: 0 },
    ];
  }
}
