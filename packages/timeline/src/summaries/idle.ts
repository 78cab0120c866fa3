/**
 * Finds idle ranges. In an idle range nothing starts or ends, and the only items are states that last (a running
 * container, a wait, a phase). The result is cached per lane, and settled items are read only once.
 */
import { endOf, type Item, type ItemState, isTrouble, type Lane } from '../model.ts';
import type { Fold } from '../scale/folds.ts';

/** States in which nothing changes until they end. An open item in any other state counts as activity. */
const lasting: ReadonlySet<ItemState> = new Set([
  'pending',
  'running',
  'succeeded',
  'error',
  'backoff',
  'waiting',
  'probe',
]);

/** Time that stays visible on either side of an activity, in milliseconds. */
const air = 400;

/** Shortest range to fold, in milliseconds. */
const least = 4_000;

/** Shortest length of a drawn fold, in milliseconds. */
const leastShown = 250;

/** Ranges with activity, by start: start, end, start, end… */
type Busy = number[];

function add(busy: Busy, start: number, end: number): void {
  const last = busy.length - 1;
  // Starts arrive in the order of time. The ends of lasting items don't, so they are collected in a separate list.
  if (last > 0 && start - air <= (busy[last] ?? 0) && start >= (busy[last - 1] ?? 0))
    busy[last] = Math.max(busy[last] ?? 0, end + air);
  else busy.push(start - air, end + air);
}

interface Kept {
  readonly settled: number;
  readonly items: readonly Item[];
  readonly busy: Busy;
  readonly ends: number[];
  /** Settled items that count as activity until now, because they haven't ended. */
  readonly open: Item[];
}

function readItem(item: Item, now: number, busy: Busy, ends: number[]): void {
  if (!lasting.has(item.state)) add(busy, item.start, endOf(item, now));
  else if (item.state !== 'probe') {
    add(busy, item.start, item.start);
    if (item.end !== undefined) ends.push(item.end);
  }
}

export class IdleFinder {
  #kept = new Map<string, Kept>();

  /** Returns the ranges to fold up to `now`, except those whose start is in `open`. */
  find(lanes: readonly Lane[], origin: number, now: number, open: ReadonlySet<number>): readonly Fold[] {
    const pairs: (readonly [number, number])[] = [];
    const kept = new Map<string, Kept>();
    for (const lane of lanes) kept.set(lane.id, this.#read(lane, now, pairs));
    this.#kept = kept;
    pairs.sort((a, b) => a[0] - b[0]);
    const gaps: { readonly start: number; readonly end: number }[] = [];
    let until = origin;
    let idle = 0;
    for (const [start, end] of pairs) {
      if (start > now) break;
      if (start - until >= least) {
        gaps.push({ start: until, end: start });
        idle += start - until;
      }
      until = Math.max(until, end);
    }
    // The length of a fold is a thirtieth of the busy time. It is rounded to a power of two, so that it rarely changes
    // while a run grows.
    const rest = Math.max(1, now - origin - idle);
    const usual =
      2 ** Math.round(Math.log2(Math.max(leastShown, Math.min(rest / 30, rest / 2 / Math.max(1, gaps.length)))));
    return gaps
      .filter(({ start }) => !open.has(start))
      .map(({ start, end }) => ({ start, end, shown: Math.min(usual, (end - start) / 2) }));
  }

  #read(lane: Lane, now: number, pairs: (readonly [number, number])[]): Kept {
    const before = this.#kept.get(lane.id);
    const isSame = before !== undefined && before.settled <= lane.settled && before.items === lane.items;
    const kept: Kept = {
      settled: lane.settled,
      items: lane.items,
      busy: isSame ? before.busy : [],
      ends: isSame ? before.ends : [],
      open: isSame ? before.open : [],
    };
    for (let at = isSame ? before.settled : 0; at < lane.settled; at++) {
      const item = lane.items[at] as Item;
      if (item.end === undefined && !lasting.has(item.state)) kept.open.push(item);
      else readItem(item, now, kept.busy, kept.ends);
    }
    const busy: Busy = [];
    const ends: number[] = [];
    for (const item of kept.open) add(busy, item.start, endOf(item, now));
    for (let at = lane.settled; at < lane.items.length; at++) readItem(lane.items[at] as Item, now, busy, ends);
    // Successful probes happen all the time, so they aren't activity.
    for (const marker of lane.markers)
      if (lane.kind !== 'probes' || isTrouble(marker)) add(busy, marker.time, marker.time);
    for (const list of [kept.busy, busy])
      for (let at = 0; at < list.length; at += 2) pairs.push([list[at] ?? 0, list[at + 1] ?? 0]);
    for (const list of [kept.ends, ends]) for (const end of list) pairs.push([end - air, end + air]);
    return kept;
  }
}
