/**
 * Stores spans by id. The ids are consecutive numbers, so the table is a list: a lookup is an index operation, and a
 * copy, which each keyframe has, takes eight bytes per span.
 */
import type { MutableSpan } from './mutable-tracks.ts';

/** Returns a copy of a span. */
const copySpan = (span: MutableSpan): MutableSpan => ({
  ...span,
  children: [...span.children],
  decisions: [...span.decisions],
  interventions: [...span.interventions],
});

/**
 * The maximum gap between ids in the list. Ids after a larger gap are stored in a map, because a file can contain any
 * ids.
 */
const largestHole = 16;

export class SpanTable {
  /** The entry at `index` is the span with the id `#base + index`. */
  #list: (MutableSpan | undefined)[] = [];
  #base: number | undefined;
  /** The spans whose ids don't fit into the list. */
  #others = new Map<number, MutableSpan>();
  /** Ids of the open spans. */
  #open = new Set<number>();

  get(id: number): MutableSpan | undefined {
    return this.#list[id - (this.#base ?? 0)] ?? this.#others.get(id);
  }

  /** Adds or replaces a span. */
  set(span: MutableSpan): void {
    const { id } = span;
    if (span.end === undefined) this.#open.add(id);
    this.#base ??= id;
    const index = id - this.#base;
    if (index >= 0 && index <= this.#list.length + largestHole && !this.#others.has(id)) {
      while (this.#list.length < index) this.#list.push(undefined);
      this.#list[index] = span;
    } else this.#others.set(id, span);
  }

  /**
   * Marks a span as ended. From now on, copies of this table share the span, so a later change replaces the span by a
   * copy.
   */
  ended(id: number): void {
    this.#open.delete(id);
  }

  /** Returns a span that the caller may change. Other tables share an ended span, so it is first replaced by a copy. */
  changeable(id: number): MutableSpan | undefined {
    const span = this.get(id);
    if (span?.end === undefined) return span;
    const copy = copySpan(span);
    this.set(copy);
    return copy;
  }

  /** Returns a table that can change independently of this one. */
  copy(): SpanTable {
    const copy = new SpanTable();
    copy.#list = this.#list.slice();
    copy.#base = this.#base;
    copy.#others = new Map(this.#others);
    copy.#open = new Set(this.#open);
    for (const id of this.#open) {
      const span = this.get(id);
      if (span) copy.set(copySpan(span));
    }
    return copy;
  }

  /** Returns all spans in the order of their ids. Tests compare tables with it. */
  toJSON(): readonly MutableSpan[] {
    return [...this.#list.filter((span) => span !== undefined), ...this.#others.values()].toSorted(
      (a, b) => a.id - b.id,
    );
  }
}
