/** What passes a filter, of a list that grows at its end: each row is looked at once. */
export class GrowingFilter<Row> {
  readonly #passes: (row: Row) => boolean;
  #of: readonly Row[] = [];
  #read = 0;
  #rows: Row[] = [];

  constructor(passes: (row: Row) => boolean) {
    this.#passes = passes;
  }

  /** The rows of `all` that pass. Another list, or one that got shorter, is read anew. */
  of(all: readonly Row[]): readonly Row[] {
    if (all !== this.#of || all.length < this.#read) {
      this.#of = all;
      this.#read = 0;
      this.#rows = [];
    }
    for (; this.#read < all.length; this.#read++) {
      const row = all[this.#read];
      if (row !== undefined && this.#passes(row)) this.#rows.push(row);
    }
    return this.#rows;
  }
}
