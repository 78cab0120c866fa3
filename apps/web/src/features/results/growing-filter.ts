/** Filters a list that grows at its end. Tests each row only once. */
export class GrowingFilter<Row> {
  readonly #passes: (row: Row) => boolean;
  #of: readonly Row[] = [];
  #read = 0;
  #rows: Row[] = [];

  constructor(passes: (row: Row) => boolean) {
    this.#passes = passes;
  }

  /**
   * Returns the rows of `all` that match the filter. If `all` is another array or became shorter, tests all rows again.
   */
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
