/**
 * Spans by id. Ids are numbers given one after the other, so the table is a list: looking up is an index, and a copy, of which every
 * keyframe has one, costs eight bytes a span.
 */
import type { MutableSpan } from './mutable-tracks.ts';

/** Another record of the same span. */
const copySpan = (span: MutableSpan): MutableSpan => ({
  ...span,
  children: [...span.children],
  decisions: [...span.decisions],
  interventions: [...span.interventions],
});

/** Larger holes between ids than this go beside the list: ids of a file can be anything. */
const largestHole = 16;

export class SpanTable {
  /** The span of id `#base + index`. */
  #list: (MutableSpan | undefined)[] = [];
  #base: number | undefined;
  /** Ids that do not fit the list. */
  #others = new Map<number, MutableSpan>();
  /** Ids of the spans that have not ended. */
  #open = new Set<number>();

  get(id: number): MutableSpan | undefined {
    return this.#list[id - (this.#base ?? 0)] ?? this.#others.get(id);
  }

  /** Adds a span, or puts one in the place of another. */
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

  /** Says that a span has ended: from now on it is shared by all copies of this table, and replaced when it must change. */
  ended(id: number): void {
    this.#open.delete(id);
  }

  /**
   * The span, to be changed. One that has ended is shared with other tables: what comes late for it goes to a copy in its place.
   */
  changeable(id: number): MutableSpan | undefined {
    const span = this.get(id);
    if (span?.end === undefined) return span;
    const copy = copySpan(span);
    this.set(copy);
    return copy;
  }

  /** A table that changes apart from this one. */
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

  /** All spans, for whoever compares two tables. */
  toJSON(): readonly MutableSpan[] {
    return [...this.#list.filter((span) => span !== undefined), ...this.#others.values()].toSorted((a, b) => a.id - b.id);
  }
}
