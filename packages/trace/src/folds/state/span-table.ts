/**
 * Stores spans by id. Ids are consecutive numbers, so the table is a list: a lookup is an index operation, and a copy
 * (each keyframe has one) takes eight bytes per span.
 */
import type { MutableSpan } from './mutable-tracks.ts';

/** Returns a copy of a span. */
const copySpan = (span: MutableSpan): MutableSpan => ({
  ...span,
  children: [...span.children],
  decisions: [...span.decisions],
  interventions: [...span.interventions],
});

/** Maximum gap between ids in the list. Ids after a larger gap go to a map, because a file can contain any ids. */
const largestHole = 16;

export class SpanTable {
  /** Contains the span with id `#base + index`. */
  #list: (MutableSpan | undefined)[] = [];
  #base: number | undefined;
  /** Spans whose ids don't fit the list. */
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

  /** Marks a span as ended. From now on copies of this table share it, and a change replaces it. */
  ended(id: number): void {
    this.#open.delete(id);
  }

  /** Returns a span for changing. An ended span is shared with other tables, so it is first replaced by a copy. */
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

  /** Returns all spans in order of their ids, to compare two tables. */
  toJSON(): readonly MutableSpan[] {
    return [...this.#list.filter((span) => span !== undefined), ...this.#others.values()].toSorted(
      (a, b) => a.id - b.id,
    );
  }
}
