/**
 * Summarizes the items of a row in levels: a node of level k covers 2^k neighboring items. Drawing visits lower levels
 * only where items are wide enough, so its cost depends on the width of the row in pixels and not on the number of
 * items. Adding an item updates one node per level.
 */
import { firstIndex } from '../base/search.ts';
import type { Item } from '../model.ts';

/**
 * The nodes of a level; level 0 contains the items. They are typed arrays, because a frame reads tens of thousands of
 * values.
 */
class Level {
  length = 0;
  /** Latest end; infinity for open items. */
  ends = new Float64Array(4);
  /** Sum of the lengths of closed items. */
  covered = new Float64Array(4);
  /** The index of the longest item. A merged bar has the appearance of that item. */
  longest = new Int32Array(4);
  /** 1 if an item failed. */
  failures = new Uint8Array(4);

  set(node: number, end: number, covered: number, longest: number, failed: number): void {
    if (node >= this.ends.length) this.#grow();
    if (node >= this.length) this.length = node + 1;
    this.ends[node] = end;
    this.covered[node] = covered;
    this.longest[node] = longest;
    this.failures[node] = failed;
  }

  #grow(): void {
    this.ends = grown(this.ends, new Float64Array(this.ends.length * 2));
    this.covered = grown(this.covered, new Float64Array(this.covered.length * 2));
    this.longest = grown(this.longest, new Int32Array(this.longest.length * 2));
    this.failures = grown(this.failures, new Uint8Array(this.failures.length * 2));
  }
}

function grown<Numbers extends Float64Array | Int32Array | Uint8Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/** Receives items and groups from left to right. */
export interface RowVisitor {
  /** An item that is wide enough to be drawn by itself. */
  item(index: number): void;
  /** The items `first` to `last` (inclusive), which are too small to distinguish. */
  group(first: number, last: number, longest: number, failed: boolean, covered: number, end: number): void;
}

export class RowSummary {
  /** The items in order. Callers must not modify them. */
  readonly items: Item[] = [];
  readonly #levels: Level[] = [new Level()];
  #starts = new Float64Array(4);

  get length(): number {
    return this.items.length;
  }

  /** Removes all items from index `length` on. */
  truncate(length: number): void {
    this.items.length = Math.min(length, this.items.length);
    for (const [k, level] of this.#levels.entries())
      level.length = Math.min(level.length, Math.ceil(this.items.length / 2 ** k));
    while (this.#levels.length > 1 && (this.#levels.at(-2)?.length ?? 0) < 2) this.#levels.pop();
    // The last nodes may still include items that were removed.
    if (this.items.length > 0) this.#refresh(this.items.length - 1);
  }

  /** Appends an item that starts no earlier than the last one. */
  push(item: Item): void {
    const index = this.items.push(item) - 1;
    if (index >= this.#starts.length) this.#starts = grown(this.#starts, new Float64Array(this.#starts.length * 2));
    this.#starts[index] = item.start;
    this.#levels[0]?.set(
      index,
      item.end ?? Number.POSITIVE_INFINITY,
      item.end === undefined ? 0 : item.end - item.start,
      index,
      item.failed ? 1 : 0,
    );
    this.#refresh(index);
  }

  /** Recomputes the nodes above `index`. */
  #refresh(index: number): void {
    for (let k = 1; ; k++) {
      const below = this.#levels[k - 1];
      if (!below || below.length < 2) return;
      const level = (this.#levels[k] ??= new Level());
      const node = index >>> k;
      const left = node * 2;
      const right = left + 1 < below.length ? left + 1 : left;
      const leftLongest = below.longest[left] ?? 0;
      const rightLongest = below.longest[right] ?? 0;
      level.set(
        node,
        Math.max(below.ends[left] ?? 0, below.ends[right] ?? 0),
        (below.covered[left] ?? 0) + (right === left ? 0 : (below.covered[right] ?? 0)),
        this.#lengthOf(rightLongest) > this.#lengthOf(leftLongest) ? rightLongest : leftLongest,
        (below.failures[left] ?? 0) | (below.failures[right] ?? 0),
      );
    }
  }

  #lengthOf(index: number): number {
    return (this.#levels[0]?.ends[index] ?? 0) - (this.#starts[index] ?? 0);
  }

  /** Calls `visitor` for the items between `from` and `to`. Items shorter than `least` milliseconds are grouped. */
  visit(from: number, to: number, least: number, now: number, visitor: RowVisitor): void {
    if (this.items.length > 0) this.#visit(this.#levels.length - 1, 0, from, to, least, now, visitor);
  }

  #visit(k: number, node: number, from: number, to: number, least: number, now: number, visitor: RowVisitor): void {
    const level = this.#levels[k];
    if (!level || node >= level.length) return;
    const first = node << k;
    const start = this.#starts[first] ?? 0;
    if (start > to) return;
    const latest = level.ends[node] ?? 0;
    const end = latest === Number.POSITIVE_INFINITY ? Math.max(now, start) : latest;
    if (end < from) return;
    if (end - start < least) {
      const last = Math.min(this.items.length, (node + 1) << k) - 1;
      visitor.group(
        first,
        last,
        level.longest[node] ?? first,
        level.failures[node] === 1,
        level.covered[node] ?? 0,
        end,
      );
    } else if (k === 0) {
      visitor.item(first);
    } else {
      this.#visit(k - 1, node * 2, from, to, least, now, visitor);
      this.#visit(k - 1, node * 2 + 1, from, to, least, now, visitor);
    }
  }

  /** Returns the start of an item. */
  startOf(index: number): number {
    return this.#starts[index] ?? 0;
  }

  /** Returns the length of an item; infinity for an open one. */
  lengthOf(index: number): number {
    return this.#lengthOf(index);
  }

  /** Returns the index of the last item that starts at or before `time`, or -1. */
  lastStartedAt(time: number): number {
    return firstIndex(this.items.length, (index) => (this.#starts[index] ?? 0) > time) - 1;
  }
}
